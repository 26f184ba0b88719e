import assert from 'node:assert/strict';
import {
  approvalCode,
  approvalRequestText,
  comparableNumber,
  readApprovalReply,
} from '../../../src/domain/conversations/approval-request.ts';

const request = {
  ...{ agentName: 'Support', tool: 'refund_order', arguments: { amount: 80 } as unknown, code: '4F7K2Q' },
  ...{ expiresAt: new Date('2026-11-27T08:15:42Z'), onExpiry: 'refuse' as const },
};
const textOf = (more: Partial<typeof request> = {}) => approvalRequestText({ ...request, ...more });

describe('The WhatsApp message that asks an approver', () => {
  it('names the agent and the tool, shows the arguments whole, and says how to answer until when', () => {
    assert.deepEqual(textOf(), {
      showsAll: true,
      text: [
        'The agent *Support* wants to call its tool `refund_order` with these arguments:',
        '```{',
        ' "amount": 80',
        '}```',
        'To approve, reply: YES 4F7K2Q',
        'To refuse, reply: NO 4F7K2Q (and, if you like, why)',
        'If nobody decides before 2026-11-27 08:15 UTC, the call is refused.',
      ].join('\n'),
    });
    assert.match(textOf({ arguments: {} }).text, /```\{\}```/);
  });

  it('shows arguments as JSON that neither WhatsApp nor the gateway changes, and that reads as the same arguments', () => {
    const values = [
      '```*x*```',
      '{{name}} }}}',
      'to \u202Ereversed',
      'a\u2028b',
      'a\nb',
      '_a_ ~b~',
      '\u{E0041}',
      '👍',
    ];
    const given = { list: values, deep: { a: [{}, { '{{k}}': '`' }] } };
    const { text } = textOf({ arguments: given });
    const shown = /```([^]*?)```\nTo approve/.exec(text)?.[1] ?? assert.fail(text);
    assert.deepEqual(JSON.parse(shown), given);
    assert.doesNotMatch(shown, /`|\{\{|\}\}|\p{Cf}|[\u2028\u2029]/u);
    assert.match(shown, /👍/);
  });

  it('explains that longer arguments can only be refused here, and shows their beginning', () => {
    const fits = textOf({ arguments: { note: 'x'.repeat(2980) } });
    assert.ok(fits.showsAll && fits.text.length < 4096);
    const { showsAll, text } = textOf({ arguments: { note: '👍'.repeat(2000) }, agentName: 'n'.repeat(200) });
    assert.equal(showsAll, false);
    assert.ok(text.isWellFormed() && text.length < 4096);
    assert.doesNotMatch(text, /YES/);
    assert.match(text, /only the beginning.*console\.\nTo refuse, reply: NO 4F7K2Q/s);
  });

  it('keeps marks and placeholders of an agent’s name from being read as such', () => {
    const { text } = textOf({ agentName: '*_Sup\nport_* {{x}}' });
    assert.match(text, /^The agent \*Sup port \{\u2060\{x\}\u2060\}\* wants/);
  });
});

describe('A reply of an approver', () => {
  for (const [text, reply] of [
    ['YES 4F7K2Q', { approve: true, code: '4F7K2Q', hasCondition: false }],
    [' yes, 4f7k2q. ', { approve: true, code: '4F7K2Q', hasCondition: false }],
    ['*YES 4F7K2Q*', { approve: true, code: '4F7K2Q', hasCondition: false }],
    ['Yes 4F7K2Q, but only 50', { approve: true, code: '4F7K2Q', hasCondition: true }],
    ['NO 4F7K2Q', { approve: false, code: '4F7K2Q', hasCondition: false }],
    [
      'no 4f7k2q: no receipt\nyet',
      { approve: false, code: '4F7K2Q', note: 'no receipt\nyet', hasCondition: false },
    ],
    ['YES', { approve: true, hasCondition: false }],
    ['No thanks', { approve: false, note: 'thanks', hasCondition: false }],
    ['no THANKS', { approve: false, note: 'THANKS', hasCondition: false }],
    ['yes 4F7K2Q8', { approve: true, hasCondition: true }],
    ['yes please', { approve: true, hasCondition: true }],
    ['Yesterday 4F7K2Q', undefined],
    ['4F7K2Q YES', undefined],
    ['', undefined],
  ] as const)
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(readApprovalReply(text), reply);
    });

  it('has a code of six characters that people do not confuse, with a digit', () => {
    const draws = [29, 28, 27, 26, 25, 24, 0, 8, 8, 8, 8, 8];
    assert.equal(
      approvalCode(() => draws.shift() ?? assert.fail()),
      '2AAAAA',
    );
  });

  for (const [one, other, same] of [
    ['+5534999990002', '553499990002', true],
    ['+5511999999999', '5511999999999', true],
    ['+553433330002', '5534933330002', false],
    ['+4915112345678', '4915112345678', true],
    ['+4915112345678', '4915112345679', false],
  ] as const)
    it(`from ${other} ${same ? 'is' : 'is not'} from ${one}`, () => {
      assert.equal(comparableNumber(one) === comparableNumber(other), same);
    });
});
