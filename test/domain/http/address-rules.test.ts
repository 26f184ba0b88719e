import assert from 'node:assert/strict';
import fc from 'fast-check';
import { judgeUrl } from '../../../src/domain/http/address-rules.ts';

/** Verdict in one word: the refusal, or `name`, `internal`, `address`. */
function verdict(text: string): string {
  const judged = judgeUrl(text);
  if (judged.kind === 'refused') return judged.reason;
  return judged.isAddress ? 'address' : judged.isInternalName ? 'internal' : 'name';
}

const table: Record<string, readonly string[]> = {
  name: [
    'https://receiver.example.net/hook',
    'http://receiver.example.net:8443/hook?a=b#c',
    'HTTPS://Receiver.Example.NET/',
    'https://receiver.example.net./hook',
    'https://my_bot.example.net/',
    'https://straße.example.net/hook',
    'https://日本語.example.jp/hook',
    'https://xn--bcher-kva.example/hook',
    'https://example.net/http://127.0.0.1/',
    'https://example.net/?next=http://[::1]/',
    'https://example.net/a@b',
    'https://localhost.example.net/',
    'https://local.example.net/',
    'https://corp.com/',
    'https://thelan.org/',
    'https://internal.io/',
    'https://home-arpa.net/',
    'https://0x7f.example.net/',
    'https://10-0-0-1.example.net/',
    'http://receiver.example.net:1/',
    'http://receiver.example.net:65535/',
  ],
  address: [
    'http://9.9.9.9/hook',
    'http://127.0.0.1:8080/',
    'http://[2001:4860:4860::8888]/hook',
    'http://[::1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[::FFFF:9.9.9.9]:81/',
  ],
  internal: [
    'http://localhost/',
    'http://LOCALHOST:3000/',
    'http://localhost./',
    'http://api.localhost/',
    'http://db/',
    'http://kubernetes.default.svc/',
    'http://web.default.svc.cluster.local/',
    'http://printer.local./',
    'http://nas.lan/',
    'http://wiki.corp/',
    'http://app.intranet/',
    'http://vault.internal/',
    'http://host.docker.internal/',
    'http://router.home/',
    'http://home.arpa/',
    'http://tv.home.arpa/',
    'http://x.localdomain/',
    'http://x.test/',
    'http://x.invalid/',
    'http://x.onion/',
    'http://x.i2p/',
    'http://metadata.goog/computeMetadata/',
    'http://metadata.tencentyun.com/',
  ],
  scheme_not_allowed: [
    'ftp://receiver.example.net/',
    'file:///etc/hosts',
    'ws://receiver.example.net/',
    'data:text/plain,x',
    'mailto:a@example.net',
    'localhost:3000/hook',
    'blob:https://example.net/x',
  ],
  credentials_in_url: [
    'https://user@receiver.example.net/',
    'https://user:secret@receiver.example.net/',
    'https://@receiver.example.net/',
    'https://receiver.example.net@127.0.0.1/',
    'https://receiver.example.net:443@9.9.9.9/',
  ],
  malformed_url: [
    '',
    'receiver.example.net/hook',
    '//receiver.example.net/',
    'https://',
    'https:receiver.example.net',
    'https:/receiver.example.net',
    'https:///receiver.example.net',
    'https:\\\\receiver.example.net',
    'https://receiver.example.net\\@127.0.0.1/',
    ' https://receiver.example.net/',
    'https://receiver.example.net/ ',
    'https://receiver.\texample.net/',
    'https://receiver.example.net/a\nb',
    'https://receiver.example.net/a b',
    'https://receiver.example.net/\u0000',
    'https://receiver.example.net/\u0085',
    'https://receiver.example.net/\u3000',
    'https://receiver.example.net:0/',
    'https://receiver.example.net:65536/',
    'https://receiver.example.net:x/',
    'https://[::1/',
    'https://[::1%25lo]/',
    'https://[::g]/',
    'https://1.2.3.4.5/',
    'https://1.2.3.256/',
    'https://9.9.9.09/',
    'https://a%00b.example.net/',
  ],
  odd_host: [
    'http://2130706433/',
    'http://0x7f000001/',
    'http://017700000001/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://127.1/',
    'http://127.0.1/',
    'http://0/',
    'http://9.9.9.9./',
    'http://9.9.2313/',
    'http://011.9.9.9/',
    'http://%39.9.9.9/',
    'http://9%2e9.9.9/',
    'http://９.9.9.9/',
    'http://9。9。9。9/',
    'http://①.1.1.1/',
    'https://receiver%2eexample.net/',
    'https://ｒeceiver.example.net/',
    'https://receiver。example.net/',
    'https://rec\u00adeiver.example.net/',
    'https://rec\u200beiver.example.net/',
    'https://receiver..example.net/',
    'https://.example.net/',
    'https://receiver.example.net../',
    'https://receiver;.example.net/',
    'https://receiver!.example.net/',
    `https://${'a'.repeat(64)}.example.net/`,
    `https://${'abcdefg.'.repeat(40)}example.net/`,
  ],
};

describe('address rules', () => {
  for (const [expected, texts] of Object.entries(table)) {
    for (const text of texts) {
      it(`judges ${JSON.stringify(text.slice(0, 60))} as ${expected}`, () => {
        assert.equal(verdict(text), expected);
      });
    }
  }

  it('reads only the dotted decimal form as an address, whichever address it is', () => {
    const part = fc.nat(255);
    const forms = [
      (a: number, b: number, c: number, d: number) => String(((a * 256 + b) * 256 + c) * 256 + d),
      (a: number, b: number, c: number, d: number) => `0x${Buffer.from([a, b, c, d]).toString('hex')}`,
      (a: number, b: number, c: number, d: number) => `0${a.toString(8)}.${b}.${c}.${d}`,
      (a: number, b: number, c: number, d: number) => `${a}.0x${b.toString(16)}.${c}.${d}`,
      (a: number, b: number, c: number, d: number) => `${a}.${b}.${c * 256 + d}`,
      (a: number, b: number, c: number, d: number) => `${a}.${b}.${c}.${d}.`,
    ];
    fc.assert(
      fc.property(part, part, part, part, (a, b, c, d) => {
        assert.equal(verdict(`http://${a}.${b}.${c}.${d}/`), 'address');
        for (const form of forms) assert.equal(verdict(`http://${form(a, b, c, d)}/`), 'odd_host');
      }),
    );
  });

  it('gives the host without brackets and root dot, and the effective port', () => {
    const plain = (text: string) => {
      const judged = judgeUrl(text);
      assert.equal(judged.kind, 'plain');
      return [judged.host, judged.port];
    };
    assert.deepEqual(plain('http://[2001:DB8::1]/'), ['2001:db8::1', 80]);
    assert.deepEqual(plain('https://Receiver.example.net./'), ['receiver.example.net', 443]);
    assert.deepEqual(plain('https://receiver.example.net:80/'), ['receiver.example.net', 80]);
  });
});
