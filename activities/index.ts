/** All activities, made from their dependencies. The only file of this folder that workflows see, as a type. */
import type { ActivityDeps } from './deps.ts';
import { checkChannelActivity } from './check-channel.ts';
import { cleanUpActivity } from './clean-up.ts';
import { deliverCallbackActivity } from './deliver-callback.ts';
import { eraseActivity } from './erase.ts';
import { fetchAttachmentActivity } from './fetch-attachment.ts';
import { recoverActivities } from './recover.ts';
import { runStepActivities } from './run-steps.ts';
import { runToolActivity } from './run-tool.ts';
import { sendReplyActivity } from './send-reply.ts';
import { runToolActionActivity } from './run-tool-action.ts';
import { watchChannelsActivity } from './watch-channels.ts';

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
