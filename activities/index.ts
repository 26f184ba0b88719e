/**
 * Creates all activities from their dependencies. Workflows import only the types of this file, and nothing from the
 * other files of this folder.
 */
import type { ActivityDeps } from '../src/app/deps.ts';
import { continueRunActivity } from './conversations/continue-run.ts';
import { deliverCallbackActivity } from './conversations/deliver-callback.ts';
import { endServingActivity } from './conversations/end-serving.ts';
import { failRunActivity } from './conversations/fail-run.ts';
import { fetchAttachmentActivity } from './conversations/fetch-attachment.ts';
import { runToolActivity } from './conversations/run-tool.ts';
import { startFollowUpActivity } from './conversations/start-follow-up.ts';
import { startRunActivity } from './conversations/start-run.ts';
import { rehearseActivity } from './rehearsals/rehearse.ts';
import { cleanUpActivity } from './upkeep/clean-up.ts';
import { eraseActivity } from './upkeep/erase.ts';
import { recoverActivity } from './upkeep/recover.ts';
import { checkChannelActivity } from './whatsapp/check-channel.ts';
import { sendReplyActivity } from './whatsapp/send-reply.ts';
import { watchChannelsActivity } from './whatsapp/watch-channels.ts';
import { runToolActionActivity } from './workspace/run-tool-action.ts';

export function createActivities(deps: ActivityDeps) {
  return {
    startRun: startRunActivity(deps),
    startFollowUp: startFollowUpActivity(deps),
    continueRun: continueRunActivity(deps),
    failRun: failRunActivity(deps),
    endServing: endServingActivity(deps),
    runTool: runToolActivity(deps),
    fetchAttachment: fetchAttachmentActivity(deps),
    deliverCallback: deliverCallbackActivity(deps),
    sendReply: sendReplyActivity(deps),
    checkChannel: checkChannelActivity(deps),
    watchChannels: watchChannelsActivity(deps),
    runToolAction: runToolActionActivity(deps),
    // Rehearsals get separate dependencies, which cannot send a message or change a customer's data.
    rehearse: rehearseActivity(deps.rehearsals),
    recover: recoverActivity(deps),
    /** Former name of `recover`. Workflows that started before the patch `recovery-alone` still call it. */
    sweepStalled: recoverActivity(deps),
    cleanUp: cleanUpActivity(deps),
    erase: eraseActivity(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
