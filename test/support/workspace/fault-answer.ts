/** Sends the answer of a fault instead of the route's answer. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from './errors.ts';
import type { Fault } from './faults.ts';
import { RateLimited } from './rate-limiter.ts';

export function commitsFirst(fault: Fault): boolean {
  return fault.kind === 'lost-answer' || fault.kind === 'slow' || ('committed' in fault && fault.committed);
}

/** The refusal that this fault answers, if it answers one in the form of the API. */
export function refusalOf(fault: Fault): ApiError | undefined {
  switch (fault.kind) {
    case 'conflict':
      return new ApiError(409, 'conflict_error', 'Conflict occurred while saving. Please try again.');
    case 'rate-limited':
      return new RateLimited(fault.retryAfter, fault.reason ?? 'public_api_request_rate_limit');
    case 'overloaded':
      return new ApiError(529, 'service_overload', 'Notion is overloaded. Please try again later.');
    case 'unavailable':
      return new ApiError(
        503,
        'service_unavailable',
        'Public API service is temporarily unavailable, please try again later.',
      );
    case 'gateway-timeout':
      return new ApiError(504, 'gateway_timeout', 'The request timed out. Please try again.');
    case 'internal':
      return new ApiError(500, 'internal_server_error', 'Unexpected error occurred.');
    case 'error':
      return new ApiError(fault.status, fault.code, fault.message);
    case 'lost-answer':
    case 'reset':
    case 'hang':
    case 'late':
    case 'slow':
    case 'bad-gateway':
    case 'proxy-page':
    case 'cut-json':
    case 'wrong-json':
      return undefined;
  }
}

/** Ends the request in its own way; the route's answer is sent by the caller when this returns false. */
export async function endBadly(fault: Fault, response: ServerResponse): Promise<boolean> {
  switch (fault.kind) {
    case 'lost-answer':
    case 'reset':
      response.socket?.destroy();
      return true;
    case 'hang':
    case 'late':
      return true;
    case 'slow':
      await wait(fault.ms);
      return false;
    case 'bad-gateway':
      response.writeHead(502, { 'content-type': 'text/html; charset=UTF-8' });
      response.end(
        '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n</body>\r\n</html>\r\n',
      );
      return true;
    case 'proxy-page':
      response.writeHead(fault.status, { 'content-type': 'text/html; charset=UTF-8' });
      response.end(
        fault.html ??
          '<!DOCTYPE html>\n<html lang="en-US">\n<head>\n<title>Attention Required! | Cloudflare</title>\n</head>\n<body>Sorry, you have been blocked</body>\n</html>\n',
      );
      return true;
    case 'cut-json':
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
      response.end('{"object":"page","id":"38c9ce7b-60a4-81');
      return true;
    case 'wrong-json':
      response.writeHead(fault.status ?? 200, { 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(fault.body));
      return true;
    case 'conflict':
    case 'rate-limited':
    case 'overloaded':
    case 'unavailable':
    case 'gateway-timeout':
    case 'internal':
    case 'error':
      return false;
  }
}
