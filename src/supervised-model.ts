/** Follows the model that the supervisor of local mode runs, and asks the supervisor to start it. */
import { isLocalMode, type Config } from './config.ts';
import {
  localModelMessage,
  startLocalModel,
  unavailableModel,
  type LocalModel,
  type LocalModelAccess,
} from './contract/models/local-model.ts';
import { onParentMessage, sendToParent } from './process-life.ts';

/** Maximum milliseconds for which `start` waits for the supervisor's answer. Chosen. */
const answerMs = 5000;

export interface SupervisedModel {
  /** The given settings. In local mode, LOCAL_MODEL always has the value that the supervisor sent last. */
  settings: Config;
  view: () => LocalModel;
  /**
   * Asks the supervisor to start the model, unless the model runs or is starting. Resolves when the supervisor has
   * answered, at the latest after `answerMs`.
   */
  start: () => Promise<void>;
}

/**
 * Listens for the supervisor's messages about its model. Outside of local mode, `view` always returns
 * `unavailableModel`, and `start` does nothing.
 */
export function superviseModel(config: Config): SupervisedModel {
  if (!isLocalMode(config)) {
    return { settings: config, view: () => unavailableModel, start: () => Promise.resolve() };
  }
  let access: LocalModelAccess | undefined = config.LOCAL_MODEL;
  let view = unavailableModel;
  let answered = () => undefined;
  onParentMessage('local-model', (message) => {
    const parsed = localModelMessage.parse(message);
    access = parsed.access ?? undefined;
    view = parsed.view;
    answered();
  });
  return {
    settings: Object.defineProperty({ ...config }, 'LOCAL_MODEL', { enumerable: true, get: () => access }),
    view: () => view,
    start: () =>
      new Promise((resolve) => {
        const late = setTimeout(resolve, answerMs);
        answered = () => {
          clearTimeout(late);
          resolve();
          return undefined;
        };
        sendToParent({ type: startLocalModel });
      }),
  };
}
