import { NativeSelect } from '@mantine/core';
import { chooseLanguage, isLanguage, language, languages } from '../language.ts';
import { texts } from '../messages.ts';

/** Selects the console's language, on the pages that people see before they sign in. */
export function LanguageSelect() {
  return (
    <NativeSelect
      aria-label={texts.nav.language}
      size="xs"
      value={language}
      onChange={({ currentTarget }) => {
        if (isLanguage(currentTarget.value)) chooseLanguage(currentTarget.value);
      }}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
    />
  );
}
