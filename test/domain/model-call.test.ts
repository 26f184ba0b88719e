/** What a model reads of messages. */
import assert from 'node:assert/strict';
import { historyText, inputText, joinInputs } from '../../src/domain/conversations/model-call.ts';

describe('The text that a model reads', () => {
  it('of an input names the message that it quotes, up to 300 characters', () => {
    assert.equal(inputText({ text: 'yes', quoted: null }), 'yes');
    assert.equal(inputText({ text: 'yes', quoted: 'red or blue' }), '[In reply to: red or blue]\nyes');
    for (const letter of ['a', '\u{1f600}']) {
      const read = inputText({ text: 'yes', quoted: letter.repeat(1000) });
      assert.equal(read, `[In reply to: ${letter.repeat(300)}]\nyes`);
    }
  });

  it('of a group has one line for each input with text', () => {
    assert.equal(joinInputs(['one', '', 'two']), 'one\ntwo');
    assert.equal(joinInputs(['']), '');
  });

  it('of an earlier message names its files', () => {
    assert.equal(historyText({ text: 'see', files: null }), 'see');
    assert.equal(historyText({ text: 'see', files: ['a.pdf', null] }), 'see\n[Attached: a.pdf, a file]');
  });
});
