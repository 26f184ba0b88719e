import { percentText } from '../../components/format.ts';

interface Counts {
  attempts: number;
  failed: number;
  blocked: number;
}

/** Formats the share of delivered callbacks and alerts in percent. `failed` includes unknown outcomes. */
export const deliveredShare = ({ attempts, failed, blocked }: Counts): string =>
  percentText((attempts - failed - blocked) / attempts);

/** @returns the path of the page that lists the deliveries to a host */
export const deliveriesOf = (host: string): string => `/deliveries?host=${encodeURIComponent(host)}`;

/** @returns the path of the page that lists the failed and the blocked deliveries to a host */
export const failedDeliveriesOf = (host: string): string => `${deliveriesOf(host)}&status=failed_or_blocked`;
