/** Habits that the house style bans, as patterns over comments and documents, and over the names in code. */
export interface Habit {
  name: string;
  pattern: RegExp;
  instead: string;
  /** Texts that the rule must catch. */
  caught: readonly string[];
  /** Texts that look alike and are fine. */
  fine: readonly string[];
}

/** Applied to comments and to documents. */
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
    pattern: /(^|[.:;] )where (?!is\b|are\b)[a-z ]{1,60}, /i,
    instead: 'if, when',
    caught: ['Where Temporal cannot be reached, it waits.'],
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
