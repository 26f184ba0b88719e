import assert from 'node:assert/strict';
import fc from 'fast-check';
import { guardPlaceholders } from '../../../src/domain/whatsapp/plan-reply.ts';

describe('placeholder guard', () => {
  it('leaves no doubled brace in any text, and changes nothing visible', () => {
    const braces = fc.string({ unit: fc.constantFrom('{', '}', 'a', ' ', '⁠') });
    fc.assert(
      fc.property(braces, (text) => {
        const guarded = guardPlaceholders(text);
        assert.equal(/\{\{|\}\}/.test(guarded), false);
        assert.equal(guarded.replaceAll('\u2060', ''), text.replaceAll('\u2060', ''));
      }),
    );
  });
  it('breaks a placeholder of the gateway', () => {
    assert.equal(guardPlaceholders('Hi {{lead_email}}'), 'Hi {\u2060{lead_email}\u2060}');
    assert.equal(guardPlaceholders('{{{x}}}'), '{\u2060{\u2060{x}\u2060}\u2060}');
  });
  it('leaves single braces alone', () => {
    assert.equal(guardPlaceholders('{"a": {"b": 1} }'), '{"a": {"b": 1} }');
  });
});
