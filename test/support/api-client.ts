/** Speaks to the API as its callers do, and reads the answers by the contract's schemas. */
import assert from 'node:assert/strict';
import { z } from 'zod';
import { agent, type Agent } from '../../src/contract/conversations/agents.ts';
import {
  acknowledgement,
  chatAnswer,
  type Acknowledgement,
  type ChatAnswer,
} from '../../src/contract/conversations/chat.ts';
import {
  delivery,
  message,
  type Delivery,
  type Message,
} from '../../src/contract/conversations/conversations.ts';
import { errorBody, type ErrorBody } from '../../src/contract/errors.ts';
import { pageOf } from '../../src/contract/page.ts';
import { until } from './until.ts';

export type ApiAnswer = { status: number; headers: Headers; body: unknown };

type Call = {
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Another token; null sends none. */
  token?: string | null;
};

export class ApiClient {
  readonly baseUrl: string;
  readonly token: string;

  /** @param baseUrl ends in /v1 */
  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  async call(
    method: string,
    path: string,
    { body, headers = {}, token = this.token }: Call = {},
  ): Promise<ApiAnswer> {
    const raw = asSent(body);
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(raw !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(raw !== undefined && { body: raw }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  async createAgent(fields: Record<string, unknown> = {}): Promise<Agent> {
    const name = `Agent ${crypto.randomUUID()}`;
    return await this.#read(201, agent, 'POST', '/agents', { body: { name, ...fields } });
  }

  async changeAgent(id: string, fields: Record<string, unknown>): Promise<Agent> {
    return await this.#read(200, agent, 'PATCH', `/agents/${id}`, { body: fields });
  }

  /** An asynchronous message. */
  async send(
    target: string,
    body: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Acknowledgement> {
    return await this.#read(202, acknowledgement.strict(), 'POST', `/chat/${target}`, {
      body,
      ...(headers && { headers }),
    });
  }

  /** A synchronous message. */
  async ask(target: string, body: Record<string, unknown>): Promise<ChatAnswer> {
    return await this.#read(200, chatAnswer.strict(), 'POST', `/chat/${target}`, {
      body: { sync: true, ...body },
    });
  }

  /** A call that must be refused. */
  async refused(status: number, method: string, path: string, call: Call = {}): Promise<ErrorBody> {
    return await this.#read(status, errorBody.strict(), method, path, call);
  }

  /** A first page, or the one that the query asks for. */
  async messages(conversationId: string, query = ''): Promise<Message[]> {
    const path = `/conversations/${conversationId}/messages?limit=100${query}`;
    return (await this.#read(200, pageOf(message), 'GET', path)).data;
  }

  async deliveries(query: Record<string, string>): Promise<Delivery[]> {
    const path = `/deliveries?${new URLSearchParams({ limit: '100', ...query }).toString()}`;
    return (await this.#read(200, pageOf(delivery.strict()), 'GET', path)).data;
  }

  /** Waits until all messages of the conversation are answered, and there are at least so many agent messages. */
  async settled(conversationId: string, agentMessages = 1, ms?: number): Promise<Message[]> {
    return await until(
      `conversation ${conversationId} to have ${agentMessages} agent messages and nothing open`,
      async () => {
        const all = await this.messages(conversationId);
        const open = all.some((one) => one.role === 'user' && /queued|processing/.test(one.status));
        return !open && all.filter((one) => one.role === 'agent').length >= agentMessages && all;
      },
      ms,
    );
  }

  async #read<S extends z.ZodType>(
    status: number,
    schema: S,
    method: string,
    path: string,
    call?: Call,
  ): Promise<z.output<S>> {
    const answer = await this.call(method, path, call);
    assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
    return schema.parse(answer.body);
  }
}

function asSent(body: unknown): string | Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
