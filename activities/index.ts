/** Creates all activities from their dependencies. Workflows import this file only, as a type. */
import type { ActivityDeps } from '../src/app/deps.ts';
import { checkChannelActivity } from './whatsapp/check-channel.ts';
import { cleanUpActivity } from './upkeep/clean-up.ts';
import { deliverCallbackActivity } from './conversations/deliver-callback.ts';
import { eraseActivity } from './upkeep/erase.ts';
import { fetchAttachmentActivity } from './conversations/fetch-attachment.ts';
import { recoverActivities } from './upkeep/recover.ts';
import { runStepActivities } from './conversations/run-steps.ts';
import { runToolActivity } from './conversations/run-tool.ts';
import { sendReplyActivity } from './whatsapp/send-reply.ts';
import { runToolActionActivity } from './workspace/run-tool-action.ts';
import { watchChannelsActivity } from './whatsapp/watch-channels.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    ...runStepActivities(deps),
    ...runToolActivity(deps),
    ...runToolActionActivity(deps),
    ...fetchAttachmentActivity(deps),
    ...deliverCallbackActivity(deps),
    ...recoverActivities(deps),
    ...cleanUpActivity(deps),
    ...eraseActivity(deps),
    ...checkChannelActivity(deps),
    ...sendReplyActivity(deps),
    ...watchChannelsActivity(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
