import assert from 'node:assert/strict';
import {
  authorizationProblem,
  isOwnMetadata,
  isSameIssuer,
} from '../../../src/domain/mcp-servers/judge-authorization.ts';

const issuer = 'https://auth.example.com';
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  registration_endpoint: `${issuer}/register`,
  code_challenge_methods_supported: ['plain', 'S256'],
};
const options = { namesItself: false, isSafe: (url: string) => url.startsWith('https:') };

describe('Judging the authorization server of an MCP server', () => {
  it('accepts metadata that names its own issuer, with or without a slash at the end', () => {
    for (const named of [issuer, `${issuer}/`])
      assert.equal(authorizationProblem(named, metadata, options), undefined);
  });

  it('compares issuers as URLs, but not by their beginning', () => {
    assert.ok(isSameIssuer('https://AUTH.example.com:443/a', 'https://auth.example.com/a/'));
    for (const other of [
      ...['http://auth.example.com', 'https://auth.example.com/a', 'https://auth.example.com.evil.example'],
      ...['https://auth.example.com:8443', 'auth.example.com', '', 'https://auth.example.com?a'],
    ])
      assert.ok(!isSameIssuer(issuer, other), other);
  });

  it('refuses each change by which a secret would reach somebody else', () => {
    const changes: [Partial<typeof metadata>, RegExp][] = [
      [{ issuer: 'https://other.example.com' }, /another issuer/],
      [{ token_endpoint: 'http://auth.example.com/token' }, /not https/],
      [{ authorization_endpoint: 'http://auth.example.com/authorize' }, /not https/],
      [{ registration_endpoint: 'ftp://auth.example.com/' }, /not https/],
      [{ token_endpoint: 'https://other.example.com/token' }, /at different hosts/],
      [{ authorization_endpoint: 'https://other.example.com/authorize' }, /at different hosts/],
      [{ token_endpoint: 'no address' }, /cannot be read/],
      [{ token_endpoint: `${issuer}/${'x'.repeat(2000)}` }, /cannot be read/],
      [{ code_challenge_methods_supported: ['plain'] }, /PKCE/],
    ];
    for (const [change, why] of changes)
      assert.match(authorizationProblem(issuer, { ...metadata, ...change }, options) ?? '', why);
    const { code_challenge_methods_supported: _, ...without } = metadata;
    assert.match(authorizationProblem(issuer, without, options) ?? '', /PKCE/);
  });

  it('accepts pages at another host from a server that names itself in its responses', () => {
    const elsewhere = { ...metadata, authorization_endpoint: 'https://pages.example.com/authorize' };
    assert.equal(authorizationProblem(issuer, elsewhere, { ...options, namesItself: true }), undefined);
  });

  it('takes the metadata of an MCP server from its own host alone', () => {
    const at = (url: string) => isOwnMetadata('https://mcp.example.com/a', new URL(url));
    assert.ok(at('https://mcp.example.com/.well-known/oauth-protected-resource/a'));
    for (const url of ['http://mcp.example.com/', 'https://mcp.example.com:8443/', 'https://example.com/'])
      assert.ok(!at(url), url);
  });
});
