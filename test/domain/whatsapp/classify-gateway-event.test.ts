import assert from 'node:assert/strict';
import { gatewayEvent } from '../../../src/contract/whatsapp/gateway-event.ts';
import { classifyGatewayEvent, gatewayEventAnswer } from '../../../src/domain/whatsapp/classify-event.ts';
import type { ClassifyContext } from '../../../src/domain/whatsapp/classify-event.ts';

const receivedAtMs = Date.parse('2026-08-20T00:00:00Z');
const plain = {
  id: '5511999990001:3EB0AA',
  messageid: '3EB0AA',
  chatid: '553499990002@s.whatsapp.net',
  sender: '900000100000000@lid',
  sender_pn: '553499990002@s.whatsapp.net',
  sender_lid: '900000100000000@lid',
  senderName: 'Ana',
  fromMe: false,
  wasSentByApi: false,
  messageType: 'Conversation',
  text: 'hello',
  content: 'hello',
  messageTimestamp: receivedAtMs - 1000,
};
const classify = (body: object, context: Partial<ClassifyContext> = {}) =>
  classifyGatewayEvent(gatewayEvent.parse(body), { receivedAtMs, ...context });
const one = (message: object, context: Partial<ClassifyContext> = {}, chat = {}) =>
  classify({ EventType: 'messages', chat, message: { ...plain, ...message } }, context)[0]!;
const reasonOf = (result: ReturnType<typeof one>): string =>
  result.kind === 'ignored' ? result.reason : result.kind;

describe('inbound classification', () => {
  it('accepts a plain text with its contact, time and key', () => {
    assert.deepEqual(one({}), {
      kind: 'message',
      messageId: '3EB0AA',
      contact: {
        replyTo: '553499990002',
        phone: '553499990002',
        lid: '900000100000000@lid',
        name: 'Ana',
      },
      text: 'hello',
      sentAtMs: receivedAtMs - 1000,
      form: 'text',
      replyId: null,
      quotedId: null,
      media: null,
    });
  });

  it('parses only the event `messages`, whatever the other fields contain', () => {
    for (const name of ['messages_update', 'message', 'MESSAGES.upsert', 'connection', '']) {
      assert.equal(reasonOf(classify({ EventType: name, message: plain })[0]!), 'other_event', name);
    }
    assert.equal(classify({ EventType: ' Messages ', message: plain })[0]?.kind, 'message');
    assert.equal(classify({ event: 'messages', data: plain })[0]?.kind, 'message');
    assert.equal(reasonOf(classify({ event: { messages: 1 }, message: plain })[0]!), 'other_event');
    assert.equal(classify({ event: { id: 1 }, eventType: 'messages', message: plain })[0]?.kind, 'message');
  });
  it('reads the first 50 messages of an event, and records that there were more', () => {
    const messages = (count: number) =>
      Array.from({ length: count }, (_, place) => ({ ...plain, id: '', messageid: `M${place}` }));
    const all = (count: number) => classify({ EventType: 'messages', message: messages(count) });
    assert.deepEqual(new Set(all(50).map(({ kind }) => kind)), new Set(['message']));
    const cut = all(51);
    assert.equal(cut.length, 51);
    assert.equal(cut[49]?.messageId, 'M49');
    assert.equal(reasonOf(cut[50]!), 'too_many_messages');
    assert.equal(gatewayEventAnswer(cut), 'OK');
  });
  it('takes the singular event name behind its option only', () => {
    const older = { event: 'message', data: plain };
    assert.equal(reasonOf(classify(older)[0]!), 'other_event');
    assert.equal(classify(older, { olderEventName: true })[0]?.kind, 'message');
  });

  describe('checks in their order', () => {
    const worse = [
      [{}, { channelInactive: true }, 'channel_inactive'],
      [{ messageid: '', id: '' }, {}, 'no_message_id'],
      [{ wasSentByApi: true, fromMe: true, isGroup: true }, {}, 'sent_by_api'],
      [{ track_source: 'parley', track_id: 't1' }, { trackSource: 'parley' }, 'sent_by_api'],
      [{ fromMe: true, isGroup: true }, {}, 'from_me'],
      [{ fromMe: true, messageType: 'ReactionMessage' }, {}, 'from_me'],
      [{ fromMe: true, text: '', content: '' }, {}, 'from_me'],
      [{ isGroup: true, messageType: 'ReactionMessage' }, {}, 'group'],
      [{ chatid: '1203@g.us' }, {}, 'group'],
      [{ chatid: 'status@broadcast' }, {}, 'broadcast'],
      [{ chatid: '123@broadcast' }, {}, 'broadcast'],
      [{ chatid: '123@newsletter' }, {}, 'newsletter'],
      [{ messageType: 'ReactionMessage', text: '❤️' }, {}, 'reaction'],
      [{ messageType: 'ProtocolMessage', text: '', content: {} }, {}, 'revoked'],
      [{ messageType: 'SomethingNew', text: '', content: {} }, {}, 'unsupported'],
      [{ text: ' ', content: '' }, {}, 'empty'],
      [{ chatid: '', sender_pn: '', sender_lid: '' }, {}, 'no_contact'],
    ] as const;
    for (const [message, context, reason] of worse) {
      it(`ignores ${JSON.stringify(message)} as ${reason}`, () => {
        assert.equal(reasonOf(one(message, context)), reason);
      });
    }
    it('recognizes a group by the chat alone', () => {
      assert.equal(reasonOf(one({}, {}, { wa_isGroup: true })), 'group');
      assert.equal(reasonOf(one({}, {}, { wa_chatid: '1203@g.us' })), 'group');
    });
    it('returns the mark of our own send when its echo arrives', () => {
      const echo = one({ wasSentByApi: true, fromMe: true, track_id: 'message:0' });
      assert.equal(echo.kind === 'ignored' && echo.trackId, 'message:0');
    });
  });

  describe('takeover', () => {
    it('is signalled by a message typed on the phone, for the contact and not for the owner', () => {
      const typed = one({
        fromMe: true,
        sender_pn: '5511999990001@s.whatsapp.net',
        sender_lid: '1@lid',
        senderName: 'Owner',
        text: 'I take this one',
      });
      assert.equal(typed.kind === 'takeover' && typed.contact.replyTo, '553499990002');
      assert.equal(typed.kind === 'takeover' && typed.contact.name, null);
      assert.equal(gatewayEventAnswer([typed]), 'OK - from me (ignored)');
    });
    it('is not signalled by notes to oneself', () => {
      const note = one({ fromMe: true, sender_pn: '553499990002@s.whatsapp.net' });
      assert.equal(reasonOf(note), 'from_me');
    });
    for (const [named, message, chat, key] of [
      ['the chat', {}, { wa_chatid: '553499990002@s.whatsapp.net' }, '553499990002'],
      ['the chat’s phone', {}, { phone: '+55 34 9999-0002' }, '553499990002'],
      ['the LID', { chatlid: '900000100000000@lid' }, {}, '900000100000000@lid'],
      [
        'the LID, the chat being the business’s as well',
        { chatlid: '900000100000000@lid' },
        { wa_chatid: '5511999990001@s.whatsapp.net', phone: '+55 11 99999-0001' },
        '900000100000000@lid',
      ],
    ] as const) {
      it(`is signalled for the contact if the business’s number is in chatid: by ${named}`, () => {
        for (const chatid of ['5511999990001@s.whatsapp.net', '5511999990001:7@s.whatsapp.net']) {
          const own = { chatid, fromMe: true, sender: '1@lid', sender_lid: '1@lid', sender_pn: chatid };
          const typed = one({ ...own, ...message }, {}, chat);
          assert.equal(typed.kind === 'takeover' && typed.contact.replyTo, key);
        }
      });
    }
    it('is not signalled by notes to oneself, whatever the gateway leaves out', () => {
      const own = '5511999990001@s.whatsapp.net';
      const chat = { wa_chatid: own, wa_chatlid: '1@lid', phone: '+55 11 99999-0001' };
      const note = { chatid: own, fromMe: true, chatlid: '1@lid', sender: '1@lid', sender_pn: own };
      for (const left of [{}, { sender_lid: '1@lid' }, { sender: '', sender_lid: '' }, { chatlid: '' }])
        assert.equal(reasonOf(one({ ...note, sender_lid: '', ...left }, {}, chat)), 'from_me');
    });
    it('knows a LID chat by its phone, which is not the writer’s', () => {
      const typed = one(
        { fromMe: true, chatid: '900000100000000@lid', sender_pn: '5511999990001@s.whatsapp.net' },
        {},
        { phone: '+55 34 9999-0002' },
      );
      assert.equal(typed.kind === 'takeover' && typed.contact.replyTo, '553499990002');
    });
  });

  describe('contact', () => {
    const contactOf = (message: object, chat = {}) => {
      const result = one(message, {}, chat);
      return result.kind === 'message' ? result.contact : null;
    };
    it('is the same with and without a device suffix, and in the older suffix', () => {
      for (const chatid of ['553499990002:3@s.whatsapp.net', '553499990002@c.us', '553499990002']) {
        assert.equal(contactOf({ chatid })?.replyTo, '553499990002', chatid);
      }
    });
    it('is found by the sender’s phone in a LID chat, then by the chat', () => {
      const chatid = '900000100000000@lid';
      assert.equal(contactOf({ chatid })?.replyTo, '553499990002');
      assert.equal(
        contactOf({ chatid, sender_pn: '' }, { wa_chatid: '553499990003@s.whatsapp.net' })?.replyTo,
        '553499990003',
      );
      assert.equal(
        contactOf({ chatid, sender_pn: '' }, { phone: '+55 34 9999-0004' })?.replyTo,
        '553499990004',
      );
    });
    it('is never the business itself, even if its number is in chatid', () => {
      const event = (message: object) =>
        classify({ EventType: 'messages', owner: '5511999990001', message: { ...plain, ...message } })[0]!;
      const wrote = event({ chatid: '5511999990001@s.whatsapp.net' });
      assert.equal(wrote.kind === 'message' && wrote.contact.replyTo, '553499990002');
      const nobody = event({ chatid: '5511999990001@s.whatsapp.net', sender_pn: '', sender_lid: '' });
      assert.equal(reasonOf(nobody), 'no_contact');
    });
    it('is never read from the chat of another message of the same event', () => {
      const chat = {
        wa_chatid: '553499990002@s.whatsapp.net',
        wa_chatlid: '900000100000000@lid',
        phone: '+55 34 9999-0002',
        wa_name: 'Ana',
      };
      const bo = {
        messageid: 'B',
        chatid: '900000200000000@lid',
        sender_pn: '',
        sender_lid: '',
        senderName: '',
      };
      const contacts = classify({ EventType: 'messages', chat, message: [plain, { ...plain, ...bo }] }).map(
        (result) => result.kind === 'message' && [result.contact.replyTo, result.contact.name],
      );
      assert.deepEqual(contacts, [
        ['553499990002', 'Ana'],
        ['900000200000000@lid', null],
      ]);
      const alone = one(bo, {}, chat);
      assert.equal(alone.kind === 'message' && alone.contact.replyTo, '900000200000000@lid');
    });
    it('has no LID if the event names two, because it would join two people', () => {
      const contact = contactOf({ chatlid: '900000200000000@lid' });
      assert.deepEqual([contact?.phone, contact?.lid], ['553499990002', null]);
    });
    it('has no phone if the digits are those of a LID', () => {
      const chatid = '900000100000000@lid';
      for (const [message, chat] of [
        [{ sender_pn: '900000100000000@s.whatsapp.net' }, {}],
        [{ sender_pn: '' }, { phone: '+900000100000000' }],
        [{ sender_pn: '' }, { wa_chatid: '900000100000000@c.us' }],
      ])
        assert.equal(contactOf({ chatid, ...message }, chat)?.replyTo, chatid);
    });
    it('is the LID itself if no phone is known, never its digits', () => {
      assert.deepEqual(contactOf({ chatid: '900000100000000:4@lid', sender_pn: '' }), {
        replyTo: '900000100000000@lid',
        phone: null,
        lid: '900000100000000@lid',
        name: 'Ana',
      });
    });
  });

  describe('kinds and texts', () => {
    for (const [message, form, text] of [
      [{ messageType: 'conversation', text: '', content: { conversation: 'a' } }, 'text', 'a'],
      [{ messageType: 'ExtendedTextMessage', text: '', content: { text: 'a' } }, 'text', 'a'],
      [{ messageType: 'ExtendedTextMessage', text: '', content: '{"text":"a"}' }, 'text', 'a'],
      [{ text: '{"text":"a"}', content: '{"text":"a"}' }, 'text', '{"text":"a"}'],
      [{ messageType: 'SomethingNew', text: 'a' }, 'text', 'a'],
      [{ messageType: 'ImageMessage', text: '', content: { caption: 'c' } }, 'image', 'c'],
      [{ messageType: 'DocumentWithCaptionMessage', text: '', content: {} }, 'document', ''],
      [
        {
          messageType: 'LocationMessage',
          text: '',
          content: { degreesLatitude: -1.5, degreesLongitude: 2, name: 'Pier' },
        },
        'location',
        'Location: Pier, -1.5, 2',
      ],
      [
        {
          messageType: 'ContactMessage',
          text: '',
          content: { displayName: 'Bo', vcard: 'TEL;waid=1:+1 555' },
        },
        'contact',
        'Bo: +1 555',
      ],
      [
        { messageType: 'PollCreationMessageV3', text: 'Q?', convertOptions: 'a|b', content: {} },
        'poll',
        'Q?\n- a\n- b',
      ],
      [{ messageType: 'PollUpdateMessage', text: '', vote: 'a', content: {} }, 'poll_vote', 'a'],
      [
        { messageType: 'ListResponseMessage', text: '', vote: 'Row', buttonOrListid: 'r1', content: {} },
        'interactive_reply',
        'Row',
      ],
      [
        {
          messageType: 'ButtonsResponseMessage',
          text: '',
          content: { selectedButtonID: 'yes', Response: { SelectedDisplayText: 'Yes, please' } },
        },
        'interactive_reply',
        'Yes, please',
      ],
      [
        { messageType: 'ButtonsResponseMessage', text: '', content: { selectedButtonID: 'yes' } },
        'interactive_reply',
        'yes',
      ],
    ] as const) {
      it(`reads ${message.messageType ?? 'a text'} as ${form} ${JSON.stringify(text)}`, () => {
        const result = one(message);
        assert.deepEqual(result.kind === 'message' && [result.form, result.text], [form, text]);
      });
    }
    for (const [messageType, fields, id] of [
      ['ButtonsResponseMessage', { content: { selectedButtonID: 'yes' } }, 'yes'],
      ['ButtonsResponseMessage', { content: { selectedButtonId: 'yes' } }, 'yes'],
      ['ButtonsResponseMessage', { buttonOrListid: 'b', content: { selectedButtonID: 'yes' } }, 'b'],
      ['TemplateButtonReplyMessage', { content: { selectedID: 't1' } }, 't1'],
      ['ListResponseMessage', { content: { singleSelectReply: { selectedRowID: 'r1' } } }, 'r1'],
      ['ListResponseMessage', { content: { title: 'Row', singleSelectReply: 'odd' } }, null],
    ] as const) {
      it(`reads the choice of ${messageType} ${JSON.stringify(fields)} as ${id}`, () => {
        const result = one({ messageType, text: '', vote: 'Row', ...fields });
        assert.equal(result.kind === 'message' ? result.replyId : result.kind, id);
      });
    }
    it('never fetches the encrypted file, and takes a readable one', () => {
      const media = (fileURL: string) => {
        const result = one({
          messageType: 'AudioMessage',
          text: '',
          fileURL,
          content: { mimetype: 'audio/ogg; codecs=opus', PTT: true, fileLength: '4920' },
        });
        return result.kind === 'message' ? result.media : null;
      };
      assert.deepEqual(media('https://mmg.whatsapp.net/x.enc'), {
        contentType: 'audio/ogg',
        filename: null,
        size: 4920,
        url: null,
        voiceNote: true,
        gif: false,
      });
      assert.equal(media('https://files.gateway.test/x.mp3')?.url, 'https://files.gateway.test/x.mp3');
      assert.equal(media('http://files.gateway.test/x.mp3')?.url, null);
    });
    it('makes an edit of a message that names an earlier one', () => {
      const edit = one({ messageid: 'B', edited: 'A', text: 'new' });
      assert.deepEqual(edit.kind === 'edit' && [edit.messageId, edit.originalId, edit.text], [
        'B',
        'A',
        'new',
      ]);
    });
    it('keeps what is quoted', () => {
      const quoting = one({ content: { text: 'x', contextInfo: { stanzaID: 'Q1' } } });
      assert.equal(quoting.kind === 'message' && quoting.quotedId, 'Q1');
    });
  });

  it('keys a message without messageid by the part of its id after the owner', () => {
    const result = one({ messageid: '', id: '5511999990001:3EB0XX' });
    assert.equal(result.kind === 'message' && result.messageId, '3EB0XX');
    assert.equal(reasonOf(one({ messageid: '', id: 'r0000' })), 'no_message_id');
  });
  it('removes NUL, which the database refuses', () => {
    const result = one({ text: 'a\0b' });
    assert.equal(result.kind === 'message' && result.text, 'ab');
  });
  it('takes each message of an array', () => {
    const results = classify({
      EventType: 'messages',
      message: [plain, { ...plain, messageid: 'B' }, 'junk'],
    });
    assert.deepEqual(
      results.map((result) => (result.kind === 'message' ? result.messageId : result.kind)),
      ['3EB0AA', 'B'],
    );
  });

  it('never fails on fields of a wrong kind', () => {
    const junk = [null, 0, 1, true, [], {}, 'x', [null], { a: [] }];
    for (const value of junk) {
      for (const field of [...Object.keys(plain), 'edited', 'track_id', 'fileURL', 'isGroup']) {
        assert.equal(one({ [field]: value }).kind.length > 0, true);
      }
      for (const field of ['chat', 'message', 'data', 'owner', 'token', 'EventType']) {
        assert.ok(classify({ EventType: 'messages', message: plain, [field]: value }).length > 0);
      }
    }
  });
  it('accepts only clear forms of yes as yes', () => {
    for (const yes of [true, 'true', 1]) assert.equal(reasonOf(one({ wasSentByApi: yes })), 'sent_by_api');
    for (const no of [false, 'False', 'false', 0, null, {}, 'yes'])
      assert.equal(one({ wasSentByApi: no }).kind, 'message');
  });
});
