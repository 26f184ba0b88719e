import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { chooseLanguage, isLanguage, language, languages } from '../language.ts';
import { texts } from '../messages.ts';

/** Selects the console's language. */
export function LanguageSelect({ size = 'xs' }: Pick<NativeSelectProps, 'size'>) {
  return (
    <NativeSelect
      aria-label={texts.nav.language}
      size={size}
      value={language}
      onChange={({ currentTarget }) => {
        if (isLanguage(currentTarget.value)) chooseLanguage(currentTarget.value);
      }}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
    />
  );
}
