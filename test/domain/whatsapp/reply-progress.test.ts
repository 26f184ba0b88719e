import assert from 'node:assert/strict';
import {
  afterSend,
  defaultReplyTimes as times,
  type PartOutcome,
} from '../../../src/domain/whatsapp/reply-progress.ts';

describe('afterSend', () => {
  const after = (outcome: PartOutcome, failures = 0) => afterSend(outcome, failures, times);
  const detail = 'what the gateway said';

  it('distinguishes refused credentials, a session that is down, a limit, and a number that may begin no chats', () => {
    const of = (outcome: PartOutcome) => {
      const step = after(outcome);
      return [step.kind, 'why' in step ? step.why : '', 'ms' in step ? step.ms : 0];
    };
    assert.deepEqual(of({ outcome: 'invalid_credentials', detail }), ['wait', 'credentials', 60_000]);
    assert.deepEqual(of({ outcome: 'session_down', detail }), ['wait', 'session_down', 60_000]);
    assert.deepEqual(of({ outcome: 'rate_limited', retryAfterMs: 7000 }), ['wait', 'rate_limited', 7000]);
    assert.deepEqual(of({ outcome: 'timelocked', untilMs: null, detail }), ['failed', '', 0]);
    assert.deepEqual(of({ outcome: 'busy', detail }), ['wait', 'busy', 5000]);
    assert.deepEqual(of({ outcome: 'no_instance', detail }), ['wait', 'unreachable', 60_000]);
    assert.deepEqual(of({ outcome: 'refused', status: 400, detail }), ['failed', '', 0]);
  });

  it('waits longer at each 429 that names no time, from 30 seconds to half an hour', () => {
    const waits = [0, 1, 2, 19].map((failures) =>
      after({ outcome: 'rate_limited', retryAfterMs: null }, failures),
    );
    assert.deepEqual(
      waits.map((step) => 'ms' in step && step.ms),
      [30_000, 60_000, 120_000, 1_800_000],
    );
  });

  it('asks the gateway before it repeats a part that may have arrived, and waits longer each time if surely none did', () => {
    assert.deepEqual(after({ outcome: 'unknown', reason: 'timeout' }), {
      kind: 'ask',
      ms: 10_000,
      gatewayFailed: false,
      error: 'no usable answer (timeout)',
    });
    const failed = after({ outcome: 'failed', status: 500, detail }, 1);
    assert.deepEqual([failed.kind, 'gatewayFailed' in failed && failed.gatewayFailed], ['ask', true]);
    const waits = [0, 1, 2, 3, 4, 5].map((failures) => {
      const step = after({ outcome: 'not_reachable', reason: 'connection_refused' }, failures);
      return 'ms' in step ? step.ms : step.kind;
    });
    assert.deepEqual(waits, [5000, 30_000, 120_000, 600_000, 1_800_000, 'failed']);
  });

  it('names the time from which WhatsApp lets the number begin chats again, if it is known', () => {
    const step = after({ outcome: 'timelocked', untilMs: Date.UTC(2030, 0, 1), detail });
    assert.match('error' in step ? step.error : '', /463\) until 2030-01-01T00:00:00\.000Z/);
  });
});
