import type { AgentChange } from '../../contract/conversations/agent-versions.ts';

const lines = (count: number): string =>
  `${count.toLocaleString()} unchanged ${count === 1 ? 'line' : 'lines'}`;

export const versionTexts = {
  versions: {
    title: 'Versions',
    lead: 'Compare the agent’s versions, go back to one, or let one answer a share of new conversations.',
    table: 'Versions of this agent',
    columns: { version: 'Version', note: 'Note', author: 'Author', at: 'Created' },
    version: (number: number) => `Version ${String(number)}`,
    versionInText: (number: number) => `version ${String(number)}`,
    published: 'Published',
    candidate: (percent: number) => `Candidate, ${String(percent)} %`,
    publishedIs: (number: number) => `Version ${String(number)} answers.`,
    publishedIsBeside: (number: number) => `Version ${String(number)} answers the others.`,
    candidateIs: (number: number, percent: number) =>
      `Version ${String(number)} answers ${String(percent)} % of new conversations.`,
    draftBy: (author: string) => `A draft by ${author} is not published yet.`,
    openDraft: 'Open the draft',
    restores: (number: number) => `Content of version ${String(number)} again`,
    noNote: 'No note',
    unknownAuthor: 'Not recorded',
    notRecorded: 'Not recorded',
    rollBack: (number: number, published: number) => ({
      label: 'Roll back',
      title: `Roll back to version ${String(number)}?`,
      text: `Its content becomes a new version, which answers from the next message on. Answers in progress keep theirs. This changes, compared with version ${String(published)}:`,
      done: 'Rolled back',
    }),
    share: {
      give: 'Set share',
      change: 'Change share',
      title: (number: number) => `Share of version ${String(number)}`,
      label: 'Share of new conversations (percent)',
      help: '1 to 99. Each of these conversations keeps the version while it has a share. 100 publishes it.',
      replaces: (number: number) => `Version ${String(number)} has a share now, and loses it.`,
      save: 'Save share',
      saved: 'Share saved',
      end: (number: number, published: number) => ({
        label: 'End share',
        title: `End the share of version ${String(number)}?`,
        text: `Its conversations continue with version ${String(published)}, from their next message on.`,
        done: 'Share ended',
      }),
      publish: (number: number, published: number) => ({
        label: 'Publish to everyone',
        title: `Publish version ${String(number)}?`,
        text: `It answers every conversation from the next message on. This changes, compared with version ${String(published)}:`,
        done: 'Published',
      }),
    },
    draft: {
      save: 'Save draft',
      saved: 'Draft saved',
      mark: 'draft',
      tryIt: 'Try the draft',
      noticeTitle: 'This is a draft',
      by: (author: string) => `Saved by ${author},`,
      answers: (version: number) => `Version ${String(version)} answers until you publish the draft.`,
      stale: (version: number, base: number) =>
        `Version ${String(version)} was published since; the draft was begun on version ${String(base)}. Before you publish it, check the differences.`,
      discard: {
        label: 'Discard draft',
        title: 'Discard the draft?',
        text: 'The form returns to the published version. This cannot be undone.',
        done: 'Draft discarded',
      },
      publish: 'Publish',
      publishTitle: 'Publish a version',
      changesFrom: (version: number) => `Changes from version ${String(version)}, which is published`,
      note: 'Note',
      noteHelp: 'What changes, and why. Shown in the list of versions.',
      shareHelp: '100: it answers everyone, from the next message on. Less: it becomes a candidate.',
      published: (version: number, percent: number | null) =>
        percent === null
          ? `Version ${String(version)} is published`
          : `Version ${String(version)} answers ${String(percent)} % of new conversations`,
      needsRehearsal: 'This agent is published only after a passed rehearsal of exactly this draft.',
      notRehearsedTitle: 'No rehearsal of this draft has passed',
      notRehearsed:
        'The draft is saved, and was not published. Rehearse it until every turn passes, then publish it without another change.',
      rehearse: 'Rehearse the draft',
      changedByOthers: 'Someone else changed the draft in the meantime. Compare theirs with yours.',
      conflictTitle: 'Someone else saved a draft of this agent',
      goneTitle: 'Someone else published or discarded the draft',
      conflictNotice: 'Someone else saved a draft of this agent.',
      goneNotice: 'Someone else published or discarded the draft.',
      savedBy: (author: string) => `Saved by ${author}`,
    },
    detailTitle: (number: number) => `Version ${String(number)}`,
    compareWith: 'Compare with',
    option: (number: number, mark: string | undefined) =>
      `Version ${String(number)}${mark === undefined ? '' : ` (${mark})`}`,
    publishedMark: 'published',
    candidateMark: 'candidate',
    changesFrom: (before: number, after: number) =>
      `Changes from version ${String(before)} to version ${String(after)}`,
    first: 'This is the oldest version that is kept.',
    content: 'Content',
    same: 'No differences.',
    changeOf: (field: string) => `Changes of ${field}`,
    gap: (count: number) => `… ${lines(count)}`,
    fields: {
      instructions: 'Instructions',
      model: 'Model',
      script: 'Script',
      follow_ups: 'Follow-ups',
      transfers_to: 'May transfer to',
      tools: 'Tools',
      tool_policies: 'Tool policies',
      approvers: 'Approvers on WhatsApp',
      connections: 'Workspaces',
    } satisfies Record<AgentChange['field'], string>,
    defaultModel: 'The default model',
    onlyWorkspace: 'The only workspace',
  },
} as const;
