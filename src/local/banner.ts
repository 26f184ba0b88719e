import type { RunningFile } from './running-file.ts';

/** Returns the text that local mode prints once it is ready. Its curl command is one line, so that it can be pasted. */
export function banner(options: {
  running: RunningFile;
  agentId: string;
  echoUrl: string | undefined;
  dataDir: string;
  hasModelProvider: boolean;
  /** `provider/name` of the model that runs on this computer; null if none runs. */
  localModel: string | null;
  isFirstStart: boolean;
}): string {
  const { running, agentId, echoUrl, dataDir, hasModelProvider, localModel, isFirstStart } = options;
  const body = JSON.stringify({
    message: 'Hello!',
    ...(echoUrl === undefined ? { sync: true } : { webhook_url: echoUrl }),
  });
  const rows: [string, string][] = [
    ['Console', running.console.url],
    [
      '  sign in',
      isFirstStart
        ? `${running.console.email}  ${running.console.password}`
        : `${running.console.email}, with the password of the first start; for a new one: npm run parley -- admin reset ${running.console.email}`,
    ],
    ['API', running.base_url],
    ['Docs', `${running.console.url}docs; every operation to try: ${running.console.url}reference`],
    ['Temporal UI', running.temporal.ui_url ?? `(yours, at ${running.temporal.address})`],
    ...(echoUrl === undefined
      ? []
      : [['Echo receiver', `${echoUrl} (callbacks are printed here)`] satisfies [string, string]]),
    ['Model', modelRow(hasModelProvider, localModel)],
    ['Data, logs', dataDir],
  ];
  const line = '─'.repeat(78);
  return [
    '',
    line,
    'Parley is running. Press Ctrl-C to stop it; the next start continues where it stopped.',
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

function modelRow(hasModelProvider: boolean, localModel: string | null): string {
  if (hasModelProvider) return localModel === null ? 'as configured' : `as configured; also ${localModel}`;
  if (localModel !== null) return `${localModel}, small, runs on this computer`;
  return 'scripted/default, for tests only; for a real one: the console, under Models, or npm start -- --local-model';
}
