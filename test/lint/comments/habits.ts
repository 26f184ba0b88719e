/** Habits that the house style bans, as patterns over what people read, and over the names in code. */
export interface Habit {
  name: string;
  pattern: RegExp;
  instead: string;
  /** Texts that the rule must catch. */
  caught: readonly string[];
  /** Texts that look alike and are fine. */
  fine: readonly string[];
}

/** Applied to comments, documents, sentences in strings and titles of tests. */
export const habits: readonly Habit[] = [
  {
    name: 'things that speak',
    pattern:
      /\b(rows?|process(?:es)?|orders?|workers?|gateways?|events?|answers?|statements?|names?|errors?|servers?|databases?|tables?) (tells?|told|hears?|heard|says? so|stands?|wish(?:es)?|knows? of)\b/i,
    instead: 'read, return, report, log, signal',
    caught: ['The row tells what became of it.', 'A worker hears of it.'],
    fine: ['The row has a name.', 'The worker polls.'],
  },
  {
    name: 'told, heard',
    pattern: /\b(told|tells|hears?|heard)\b(?! apart)/i,
    instead: 'answer, show, report, log, name',
    caught: ['The caller is told why.', 'It tells of open runs.', 'Nobody hears of it.'],
    fine: ['Rows that can be told apart.', 'To tell your administrator.'],
  },
  {
    name: 'says so',
    pattern: /(?<!, )\b(says?|said) so\b/i,
    instead: 'reports it, names it, shows it, or the text itself',
    caught: ['If it is too old, the console says so.'],
    fine: ['The page says why.', 'If you do not know, say so.'],
  },
  {
    name: 'stands',
    // The noun is fine: several tests name their harness so.
    pattern: /(?<!\b(?:an?|the|one) )\b(stands?|stood)\b(?! (?:in )?for\b|-)/i,
    instead: 'is, is stored, is in',
    caught: ['The error stands in its row.', 'It stood in the log.'],
    fine: ['It stands for any name.', 'A standby.', 'A stand-in of the API.', 'Starts a stand.'],
  },
  {
    name: 'has to be',
    pattern: /\b(has|have|had) to be\b/i,
    instead: 'must',
    caught: ['It has to be read first.'],
    fine: ['It has one to be read.'],
  },
  {
    name: 'mend',
    pattern: /\bmend(s|ed|ing)?\b/i,
    instead: 'fix, repair',
    caught: ['The mend is undone.'],
    fine: ['We recommend it.'],
  },
  {
    name: 'in place of',
    pattern: /\bin place of\b/i,
    instead: 'instead of',
    caught: ['Small programs in place of the API.'],
    fine: ['Edited in place.'],
  },
  {
    name: 'anew',
    pattern: /\banew\b/i,
    instead: 'again',
    caught: ['It is made anew.'],
    fine: ['A new one.'],
  },
  {
    name: 'under way',
    pattern: /\bunder ?way\b/i,
    instead: 'in progress',
    caught: ['While a call is under way.'],
    fine: ['No way under it.'],
  },
  {
    name: 'no more, any more',
    pattern: /\b(no more(?=[.,;:)]|$)|any ?more\b)/i,
    instead: 'no longer',
    caught: ['It is read no more.', 'Nobody waits any more.'],
    fine: ['No more than ten.', 'No more calls are accepted.'],
  },
  {
    name: 'goes on',
    pattern: /\b(go|goes|went|going) on\b(?! (the|a|an) )/i,
    instead: 'continues',
    caught: ['The session goes on.'],
    fine: ['It depends on the time.'],
  },
  {
    name: 'by itself',
    pattern: /\bby (itself|themselves)\b/i,
    instead: 'alone, or the name of what causes it',
    caught: ['The gateway ends it by itself.'],
    fine: ['Names itself.'],
  },
  {
    name: 'where as a condition',
    pattern:
      /(^|[.:;] )where (?!is\b|are\b)[a-z ]{1,60}, |(@throws|\w+Error|ends with 1|undefined|empty|false|true|null|rejects) where /i,
    instead: 'if, when',
    caught: ['Where Temporal cannot be reached, it waits.', '@throws PublicError where it is not there'],
    fine: ['Where the file is.', 'The folder where it is, then its name.'],
  },
  {
    name: 'what as a subject',
    pattern:
      /^What (is|was|has|had|came|comes|became|becomes|remains|does|may|must|can|could|would) \b(?!.*\?)/,
    instead: 'the name of the thing',
    caught: ['What is due is looked at.'],
    fine: ['What happens on a retry is up to Temporal.'],
  },
  {
    name: 'fragment that leans on the text before',
    pattern: /^(Of|As|So|Such|Nor|Else) [a-z][^.]{0,60}\.$/,
    instead: 'a whole sentence or a noun phrase',
    caught: ['Of one request to it.'],
    fine: ['Offered to agents as tools.'],
  },
  {
    name: 'sweep, housekeeping',
    pattern: /\b(sweeps?|sweeping|swept|housekeeping)\b/i,
    instead: 'recovery, cleanup',
    caught: ['A sweep does the rest.'],
    fine: ['SWEEP_SECONDS'],
  },
  {
    name: 'words for texts',
    pattern: /\b(last|own|its|their|the (provider|workspace|gateway|console)'s) words?\b/i,
    instead: 'message, text, output',
    caught: ["The provider's own words.", 'Ends with its last words.'],
    fine: ['Cut between words.'],
  },
];

/** Applied to the names in code: upper and lower bounds are `max…` and `min…`. */
export const boundNames = /\b(?:most|largest|longest|least|shortest)[A-Z]\w*/g;
