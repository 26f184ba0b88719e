import { ActionIcon, Tooltip } from '@mantine/core';
import { IconInfoCircle } from './icons.tsx';

/** A mark that shows an explanation while the pointer is over it or it has the focus. Screen readers read it as its name. */
export function Info({ text }: { text: string }) {
  return (
    // Without a portal, because a portal would put the text outside every landmark.
    <Tooltip
      label={text}
      events={{ hover: true, focus: true, touch: true }}
      withinPortal={false}
      multiline
      w={260}
    >
      <ActionIcon variant="transparent" className="info" color="gray" size={18} aria-label={text}>
        <IconInfoCircle size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
