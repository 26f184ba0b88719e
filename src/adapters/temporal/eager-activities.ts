/**
 * First server version, major and minor, with `system.enableActivityEagerExecution` on by default. With this setting,
 * the server starts an activity directly on the worker that schedules it.
 */
const onByDefaultFrom = [1, 32] as const;

/**
 * Checks whether the operator must turn on `system.enableActivityEagerExecution`, because it is off by default in this
 * server.
 * @param serverVersion the version that the server reports, such as `1.31.2`
 * @returns false if the setting is on by default, or if the version has an unknown form
 */
export function needsEagerActivitiesSetting(serverVersion: string): boolean {
  const parts = /^v?(\d+)\.(\d+)/.exec(serverVersion);
  if (parts === null) return false;
  const [major, minor] = [Number(parts[1]), Number(parts[2])];
  return major < onByDefaultFrom[0] || (major === onByDefaultFrom[0] && minor < onByDefaultFrom[1]);
}
