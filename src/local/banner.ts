import type { RunningFile } from './running-file.ts';

/** Returns the text shown once everything runs. The curl command stays on one line, so that it can be pasted. */
export function banner(options: {
  running: RunningFile;
  agentId: string;
  echoUrl: string | undefined;
  dataDir: string;
  hasModelProvider: boolean;
}): string {
  const { running, agentId, echoUrl, dataDir, hasModelProvider } = options;
  const body = JSON.stringify({
    message: 'Hello!',
    ...(echoUrl === undefined ? { sync: true } : { webhook_url: echoUrl }),
  });
  const rows: [string, string][] = [
    ['Console', running.console.url],
    ['  sign in', `${running.console.email}  ${running.console.password}`],
    ['API', running.base_url],
    ['Temporal UI', running.temporal.ui_url ?? `(yours, at ${running.temporal.address})`],
    ...(echoUrl === undefined
      ? []
      : [['Echo receiver', `${echoUrl} (callbacks are printed here)`] satisfies [string, string]]),
    [
      'Model',
      hasModelProvider
        ? 'as configured'
        : 'scripted/default, the built-in scripted model: add a real one under Models in the console, or set MODEL_BASE_URL, MODEL_API_KEY and MODEL_NAME',
    ],
    ['Data, logs', dataDir],
  ];
  const line = '─'.repeat(78);
  return [
    '',
    line,
    'Parley runs. Stop it with Ctrl-C; started again, it goes on where it stopped.',
    '',
    ...rows.map(([label, value]) => `${label.padEnd(14)} ${value}`),
    '',
    echoUrl === undefined ? 'Try it:' : 'Try it; the answer arrives below, as a callback:',
    '',
    `curl -sS -X POST ${running.base_url}/chat/${agentId} -H 'Authorization: Bearer ${running.token}' -H 'Content-Type: application/json' -d '${body}'`,
    line,
    '',
  ].join('\n');
}
