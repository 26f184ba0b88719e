import assert from 'node:assert/strict';
import {
  defaultReplySettings,
  gatewayMediaType,
  planGatewayReply,
  typingMs,
} from '../../../src/domain/whatsapp/plan-reply.ts';

const file = (contentType: string) => ({ id: contentType, contentType, filename: 'f.bin' });

describe('gateway reply plan', () => {
  it('sends nothing for a blank reply', () => {
    assert.deepEqual(planGatewayReply({ text: ' \n ' }), []);
  });
  it('shows typing and marks the chat read before the first part only', () => {
    const steps = planGatewayReply({ text: 'word '.repeat(2000) });
    assert.deepEqual(
      steps.map((step) => [step.partNo, step.typingMs, step.readChat, step.gapMs]),
      [
        [0, 3000, true, 0],
        [1, 0, false, 500],
        [2, 0, false, 500],
      ],
    );
  });
  it('types for a time that grows with the text up to three seconds', () => {
    assert.equal(typingMs(0), 500);
    assert.equal(typingMs(10), 650);
    assert.equal(typingMs(10_000), 3000);
  });
  it('converts marks, then guards placeholders, then splits', () => {
    const [step] = planGatewayReply({ text: '**{{name}}**' });
    assert.equal(step?.form === 'text' && step.text, '*{\u2060{name}\u2060}*');
  });
  it('shows no typing if the setting switches it off', () => {
    assert.deepEqual(planGatewayReply({ text: 'Hello' }, { ...defaultReplySettings, typing: false }), [
      { partNo: 0, typingMs: 0, readChat: true, gapMs: 0, form: 'text', text: 'Hello' },
    ]);
  });
  it('puts a short text under the only image or document', () => {
    const steps = planGatewayReply({ text: 'see', attachments: [file('application/pdf')] });
    assert.equal(steps.length, 1);
    assert.deepEqual(steps[0]?.form === 'media' && [steps[0].caption, steps[0].filename], ['see', 'f.bin']);
  });
  it('sends the text first if it is long, or if there are several files, or audio', () => {
    for (const [text, attachments] of [
      ['x'.repeat(1025), [file('image/png')]],
      ['see', [file('image/png'), file('image/jpeg')]],
      ['see', [file('audio/mpeg')]],
    ] as const) {
      const steps = planGatewayReply({ text, attachments });
      assert.equal(steps[0]?.form, 'text');
      assert.deepEqual(
        steps.map((step) => step.partNo),
        steps.map((_, index) => index),
      );
      assert.ok(steps.slice(1).every((step) => step.form === 'media' && step.caption === ''));
    }
  });
  it('chooses the gateway’s media type by the content type', () => {
    for (const [attachment, type] of [
      [file('image/png'), 'image'],
      [file('image/webp'), 'document'],
      [file('image/gif'), 'document'],
      [file('audio/mpeg'), 'audio'],
      [file('audio/ogg; codecs=opus'), 'audio'],
      [file('video/mp4'), 'video'],
      [file('video/webm'), 'document'],
      [file('application/pdf'), 'document'],
    ] as const) {
      assert.equal(gatewayMediaType(attachment), type, attachment.contentType);
    }
  });
});
