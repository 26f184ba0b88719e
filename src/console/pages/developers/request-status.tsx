/** The status of an API request, as a number with its name. */
import { Badge } from '@mantine/core';
import type { ApiRequest } from '../../../contract/accounts/api-requests.ts';
import { texts } from '../../messages.ts';

/** Names of the statuses that the API answers with, from RFC 9110 and RFC 6585. They are the same in every language. */
const names: Readonly<Record<number, string | undefined>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function RequestStatus({ status }: Pick<ApiRequest, 'status'>) {
  if (status === null) return <Badge color="gray">{texts.requests.statuses.cut}</Badge>;
  const name = names[status];
  return (
    <Badge color={status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'}>
      {status}
      {name !== undefined && (
        <span className="status-name" translate="no">
          {' '}
          {name}
        </span>
      )}
    </Badge>
  );
}
