/** Every migration in order. Append only: a released one is never edited. */
import { up as tables } from './0001-tables.ts';
import { up as acceptInput } from './0002-accept-input.ts';
import { metadataOfRun, up as runs } from './0003-runs.ts';
import { up as channels } from './0010-channels.ts';
import { up as docsTools } from './0011-docs-tools.ts';
import { up as console } from './0020-console.ts';
import { up as rateLimits } from './0030-rate-limits.ts';
import { up as installation } from './0031-installation.ts';
import { up as runStreams } from './0040-run-streams.ts';
import { up as cancelRuns } from './0041-cancel-runs.ts';
import { up as inputDuringRun } from './0042-input-during-run.ts';
import { up as regenerate } from './0043-regenerate.ts';
import { up as takeoverByWhom } from './0050-takeover-by-whom.ts';
import { up as channelAlerts } from './0051-channel-alerts.ts';
import { up as gatewayPace } from './0052-gateway-pace.ts';
import { up as filesForLater } from './0053-files-for-later.ts';
import { up as erasures } from './0060-erasures.ts';
import { up as retention } from './0061-retention.ts';
import { up as usage } from './0062-usage.ts';
import { up as toolUsage } from './0070-tool-usage.ts';
import { up as invitationTokens } from './0071-invitation-tokens.ts';
import { up as runTimes } from './0080-run-times.ts';
import { up as runTraces } from './0081-run-traces.ts';
import { up as writtenOrder } from './0082-written-order.ts';
import { up as messageLimits } from './0083-message-limits.ts';
import { up as recoveries } from './0100-recoveries.ts';
import { up as claimSend } from './0101-claim-send.ts';
import { up as modelAnswers } from './0110-model-answers.ts';
import { up as refusedConnections } from './0120-refused-connections.ts';
import { up as contactIdentity } from './0140-contact-identity.ts';
import { up as channelHealth } from './0141-channel-health.ts';
import { up as conversationsByActivity } from './0150-conversations-by-activity.ts';
import { up as plans } from './0180-plans.ts';
import { up as unresolvedNames } from './0200-unresolved-names.ts';
import { up as filePieces } from './0201-file-pieces.ts';
import { up as storage } from './0202-storage.ts';
import { up as channelLimits } from './0210-channel-limits.ts';
import { up as attempts } from './0211-attempts.ts';
import { up as mcpOAuth } from './0220-mcp-oauth.ts';

export const migrations: readonly { name: string; sql: string }[] = [
  { name: '0001-tables', sql: tables },
  { name: '0002-accept-input', sql: acceptInput },
  { name: '0003-runs', sql: metadataOfRun + runs },
  { name: '0010-channels', sql: channels },
  { name: '0011-docs-tools', sql: docsTools },
  { name: '0020-console', sql: console },
  { name: '0030-rate-limits', sql: rateLimits },
  { name: '0031-installation', sql: installation },
  { name: '0040-run-streams', sql: runStreams },
  { name: '0041-cancel-runs', sql: cancelRuns },
  { name: '0042-input-during-run', sql: inputDuringRun },
  { name: '0043-regenerate', sql: regenerate },
  { name: '0050-takeover-by-whom', sql: takeoverByWhom },
  { name: '0051-channel-alerts', sql: channelAlerts },
  { name: '0052-gateway-pace', sql: gatewayPace },
  { name: '0053-files-for-later', sql: filesForLater },
  { name: '0060-erasures', sql: erasures },
  { name: '0061-retention', sql: retention },
  { name: '0062-usage', sql: usage },
  { name: '0070-tool-usage', sql: toolUsage },
  { name: '0071-invitation-tokens', sql: invitationTokens },
  { name: '0080-run-times', sql: runTimes },
  { name: '0081-run-traces', sql: runTraces },
  { name: '0082-written-order', sql: writtenOrder },
  { name: '0083-message-limits', sql: messageLimits },
  { name: '0100-recoveries', sql: recoveries },
  { name: '0101-claim-send', sql: claimSend },
  { name: '0110-model-answers', sql: modelAnswers },
  { name: '0120-refused-connections', sql: refusedConnections },
  { name: '0140-contact-identity', sql: contactIdentity },
  { name: '0141-channel-health', sql: channelHealth },
  { name: '0150-conversations-by-activity', sql: conversationsByActivity },
  { name: '0180-plans', sql: plans },
  { name: '0200-unresolved-names', sql: unresolvedNames },
  { name: '0201-file-pieces', sql: filePieces },
  { name: '0202-storage', sql: storage },
  { name: '0210-channel-limits', sql: channelLimits },
  { name: '0211-attempts', sql: attempts },
  { name: '0220-mcp-oauth', sql: mcpOAuth },
];
