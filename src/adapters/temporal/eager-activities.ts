/**
 * First server version with `system.enableActivityEagerExecution` on by default. With this setting, the server gives an
 * activity to the worker that schedules it.
 */
const onByDefaultFrom = [1, 32] as const;

/**
 * @param serverVersion as the server reports it, such as `1.31.2`
 * @returns true if this server needs the setting `system.enableActivityEagerExecution`; false if the version is unknown
 */
export function needsEagerActivitiesSetting(serverVersion: string): boolean {
  const parts = /^v?(\d+)\.(\d+)/.exec(serverVersion);
  if (parts === null) return false;
  const [major, minor] = [Number(parts[1]), Number(parts[2])];
  return major < onByDefaultFrom[0] || (major === onByDefaultFrom[0] && minor < onByDefaultFrom[1]);
}
