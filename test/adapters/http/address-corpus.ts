/**
 * `npm run corpus:addresses -- FILE`: runs a JSON list of address cases through all that dials a supplied URL, with
 * look-ups and connections stubbed so that no packet leaves. Prints each miss and each wrong block; exit code 1 on any.
 */
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { z } from 'zod';
import { createGateway } from '../../../src/adapters/whatsapp/gateway.ts';
import { gatewayBaseUrl } from '../../../src/adapters/whatsapp/gateway-call.ts';
import { createPublicHttp, type PublicHttp } from '../../../src/adapters/http/public-http.ts';
import { namesBy } from '../../support/names.ts';
import { answer, startRawReceiver } from '../../support/raw-receiver.ts';

const addressCase = z.object({
  id: z.string(),
  url: z.string(),
  expect: z.enum(['blocked', 'allowed']),
  tier: z.enum(['must', 'policy']),
  category: z.string(),
  /** Answers of the first look-up, and of every later one. */
  resolvesTo: z.array(z.string()).default([]),
  rebindTo: z.array(z.string()).optional(),
  redirectsTo: z.string().optional(),
});
type AddressCase = z.output<typeof addressCase>;

/** Cases that `policy` leaves open and that were decided the other way: a public receiver may listen on any port. */
const isDecidedOpen = (row: AddressCase): boolean => row.tier === 'policy' && row.category === 'port';

const sending = { method: 'POST', body: '{}', timeoutMs: 2_000, maxBytes: 1_000 } as const;

const nothingOpen = createPublicHttp({ allow: [] });

/** Each as the product does it: what dials, and whether such a URL comes so far. */
const clients: Record<
  string,
  { takes: (url: string) => boolean; dial: (http: PublicHttp, url: string) => Promise<unknown> }
> = {
  // Attachments, and the alarm of a channel.
  request: { takes: () => true, dial: (http, url) => http.request({ ...sending, url }) },
  // Callbacks: judged first, claimed, then sent.
  callback: {
    takes: () => true,
    dial: async (http, url) => {
      const prepared = await http.prepare(url);
      if (prepared.kind === 'allowed') await http.send(prepared.target, sending);
    },
  },
  // Its address is a base, without a query, and of https where the operator opened no exception: others are refused at
  // once.
  gateway: {
    takes: (url) => 'url' in gatewayBaseUrl(nothingOpen, url),
    dial: async (http, url) => {
      const base = gatewayBaseUrl(http, url);
      if ('url' in base) await createGateway(http).status({ baseUrl: base.url, token: 'a token' });
    },
  },
};

/** Addresses dialled for one case, in order. */
async function dialledBy(
  row: AddressCase,
  dial: (http: PublicHttp, url: string) => Promise<unknown>,
): Promise<readonly string[]> {
  const dialled: string[] = [];
  let lookUps = 0;
  const receiver = await startRawReceiver((socket) =>
    socket.end(
      row.redirectsTo === undefined ? answer(200, '') : answer(307, '', { Location: row.redirectsTo }),
    ),
  );
  const http = createPublicHttp({
    allow: [],
    names: namesBy(() => {
      lookUps += 1;
      return Promise.resolve(lookUps === 1 ? row.resolvesTo : (row.rebindTo ?? row.resolvesTo));
    }),
    connect: ({ host }) => {
      dialled.push(host);
      return connect(receiver.port, '127.0.0.1');
    },
  });
  await dial(http, row.url);
  await receiver.close();
  return dialled;
}

/** Blocked may also mean: the one judged address was dialled, and neither the moved name nor the redirect followed. */
function fault(row: AddressCase, dialled: readonly string[]): 'miss' | 'wrong block' | undefined {
  if (row.expect === 'allowed' || isDecidedOpen(row)) return dialled.length === 1 ? undefined : 'wrong block';
  const isPinned = row.rebindTo !== undefined || row.redirectsTo !== undefined;
  const isFine = isPinned
    ? dialled.length <= 1 && dialled.every((address) => row.resolvesTo.includes(address))
    : dialled.length === 0;
  return isFine ? undefined : 'miss';
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Name the file: npm run corpus:addresses -- FILE');
const rows = z
  .array(addressCase)
  .min(1)
  .parse(JSON.parse(await readFile(file, 'utf8')));
const found = { miss: 0, 'wrong block': 0 };
for (const [name, { takes, dial }] of Object.entries(clients)) {
  for (const row of rows) {
    const dialled = await dialledBy(row, dial);
    const what = fault(row, dialled);
    if (what === undefined || (what === 'wrong block' && !takes(row.url))) continue;
    found[what] += 1;
    console.log(
      `${what} (${name}): ${row.id} ${row.category} ${JSON.stringify(row.url)} dialled ${dialled.join(', ') || 'nothing'}`,
    );
  }
}
const open = rows.filter(isDecidedOpen).length;
console.log(
  `${rows.length} cases, each by ${Object.keys(clients).join(', ')}: ${found.miss} misses, ${found['wrong block']} wrong blocks` +
    (open === 0 ? '' : ` (${open} odd ports of public hosts count as allowed, by policy)`),
);
process.exitCode = found.miss + found['wrong block'] === 0 ? 0 : 1;
