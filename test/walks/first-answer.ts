/** From sign-in to an answer of the small model that runs on this computer, in a new agent. */
import { until } from '../support/until.ts';
import { signIn, type Walk } from './walk.ts';

export const firstAnswer: Walk = {
  name: 'first-answer',
  who: 'a support lead',
  goal: 'from sign-in to an answer of the small local model in an agent of hers',
  max: { seconds: 180, clicks: 12 },
  async play(begin) {
    const start = await begin();
    const { walker, copy, running } = start;
    const { page } = walker;
    await signIn(start);
    await walker.link('Models');
    const panel = page.getByRole('region', { name: 'A model on this computer' });
    await walker.see('models', panel.getByRole('button'));
    await walker.button('Run a small model on this computer');
    const [clicked, printed] = [performance.now(), copy.output().length];
    await until(
      'the model to be there',
      async () => {
        const answer = await page.request.get(`${running.origin}/console/api/local-model`);
        const { state } = (await answer.json()) as { state: string };
        return state !== 'off' && state !== 'fetching';
      },
      600_000,
    );
    // A model in the cache folder is only checked, which belongs to the way.
    if (/^(?:Fetching|Installing) /m.test(copy.output().slice(printed)))
      walker.apart.push({ what: 'fetch of the model', seconds: (performance.now() - clicked) / 1000 });
    await walker.see('model-ready', panel.getByText(/^Ready: local\/.* runs on this computer\.$/));
    await walker.link('Agents');
    await walker.see('agents', page.getByRole('heading', { level: 1, name: 'Agents' }));
    await walker.button('New agent');
    const dialog = page.getByRole('dialog');
    await walker.see('new-agent', dialog);
    await walker.type(dialog.getByLabel('Name'), 'Support');
    await walker.button('Create agent');
    await walker.see('agent', page.getByRole('heading', { level: 1, name: 'Support' }));
    await walker.link('Playground');
    const field = page.getByLabel('Message', { exact: true });
    await walker.see('playground', field);
    await walker.type(field, 'Hello! Who are you?');
    await walker.button('Send');
    await walker.see('answer', page.getByText('Why this answer?'));
  },
};
