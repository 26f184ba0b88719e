/** The files of a message that is being written: the button that adds files, and the list of the added ones. */
import { ActionIcon, Alert, CloseButton, FileButton, Text, VisuallyHidden } from '@mantine/core';
import { useId, useState, type ClipboardEvent, type DragEvent } from 'react';
import { maxAttachments, maxFilesBytes } from '../../../contract/conversations/limits.ts';
import { fileSize } from '../../components/format.ts';
import { IconPaperclip } from '../../components/icons.tsx';
import { Hint, Multiline } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { attach, nothingAttached, type Attached } from './attached-files.ts';

const t = texts.attachments;

export type Attachments = ReturnType<typeof useAttachments>;

/** Keeps the files of a message until they are removed. The browser reads them when the message is sent. */
export function useAttachments() {
  const [attached, setAttached] = useState(nothingAttached);
  const buttonId = useId();
  return {
    ...attached,
    /** The id of the button that adds files. */
    buttonId,
    add: (given: readonly File[]) => setAttached(({ files }) => attach(files, given)),
    /** Adds the files of a message that was not sent before those that were added since. */
    putBack: (sent: readonly File[]) => setAttached(({ files }) => attach(sent, files)),
    remove: (gone: readonly File[]) =>
      setAttached(({ files }) =>
        attach(
          [],
          files.filter((file) => !gone.includes(file)),
        ),
      ),
  };
}

/** A button that opens the browser's dialog to choose files. */
export function AttachFiles({ to: { add, buttonId } }: { to: Attachments }) {
  return (
    // The browser reports a file that is chosen a second time only if the field was emptied before.
    <FileButton
      multiple
      onChange={add}
      inputProps={{
        onClick: (event) => {
          event.currentTarget.value = '';
        },
      }}
    >
      {(button) => (
        <ActionIcon
          id={buttonId}
          variant="subtle"
          size={36}
          aria-label={t.attach}
          title={t.attach}
          {...button}
        >
          <IconPaperclip size={18} />
        </ActionIcon>
      )}
    </FileButton>
  );
}

/** Lists the files, each with a button that removes it, and says which files were refused. */
export function AttachedFiles({ of: { files, refused, remove, buttonId } }: { of: Attachments }) {
  const problems = problemsOf(refused);
  return (
    <>
      <VisuallyHidden role="status">{files.length === 0 ? '' : t.count(files.length)}</VisuallyHidden>
      {files.length > 0 && (
        <ul className="attached-files" aria-label={t.list}>
          {files.map((file, index) => (
            <li key={index}>
              <Text size="sm" truncate title={file.name}>
                {file.name}
              </Text>
              <Hint size="xs">{fileSize(file.size)}</Hint>
              <CloseButton
                size="sm"
                aria-label={t.remove(file.name)}
                onClick={() => {
                  remove([file]);
                  // Otherwise the focus would be lost with the button.
                  document.getElementById(buttonId)?.focus();
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {problems.length > 0 && (
        <Alert color="red" role="alert">
          <Multiline>{problems.join('\n')}</Multiline>
        </Alert>
      )}
    </>
  );
}

function problemsOf({ empty, tooLarge, tooMany }: Attached['refused']): string[] {
  return [
    ...(empty.length > 0 ? [t.refused.empty(namesOf(empty))] : []),
    ...(tooLarge.length > 0 ? [t.refused.tooLarge(namesOf(tooLarge), fileSize(maxFilesBytes))] : []),
    ...(tooMany.length > 0 ? [t.refused.tooMany(namesOf(tooMany), maxAttachments)] : []),
  ];
}

/** @returns at most three names, because somebody may choose a whole folder */
function namesOf(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')} …`;
}

/** @returns the properties of an element that takes files which are dropped on it or pasted into it */
export function useDropAndPaste(to: Attachments | undefined) {
  const [isOver, setOver] = useState(false);
  if (to === undefined) return {};
  return {
    'data-dropping': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      to.add([...event.dataTransfer.files]);
    },
    onPaste: (event: ClipboardEvent) => {
      const { files, types } = event.clipboardData;
      // Office programs add a picture of the text that they copy. Then the text is pasted.
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      to.add([...files]);
    },
  };
}
