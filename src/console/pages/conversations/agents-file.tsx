/** The dialog that shows all agents as one YAML file, and applies a changed or uploaded file. */
import { Button, FileButton, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AgentsFileResult } from '../../../contract/conversations/agents-file.ts';
import { call } from '../../client.ts';
import { CodeEditor } from '../../components/code-editor.tsx';
import { Dialog } from '../../components/dialogs.tsx';
import { useRead } from '../../components/queries.ts';
import { Loaded, Problem } from '../../components/states.tsx';
import { Hint } from '../../components/text.tsx';
import { texts } from '../../messages.ts';
import { useCan } from '../../shell/session.ts';

const t = texts.agents;

export function AgentsFile({ close }: { close: () => void }) {
  const can = useCan();
  const [edited, setEdited] = useState<string>();
  const file = useRead<{ yaml: string }>(['agents-file'], '/agents-file', { staleTime: 0 });
  const apply = useMutation({
    mutationFn: (yaml: string) => call<AgentsFileResult>('PUT', '/agents-file', { body: { yaml } }),
    meta: { refetches: [['agents']] },
    onSuccess: ({ created, updated }) => {
      notifications.show({ message: t.applied(created.length, updated.length) });
      close();
    },
  });
  return (
    // After a change, neither Escape nor a click outside closes the dialog, so that the change is not lost by accident.
    <Dialog
      onClose={close}
      title={t.fileTitle}
      size="xl"
      closeOnClickOutside={edited === undefined}
      closeOnEscape={edited === undefined}
    >
      <Stack>
        <Hint>{t.fileLead}</Hint>
        <Loaded query={file}>
          {({ yaml }) => {
            const shown = edited ?? yaml;
            return (
              <>
                <CodeEditor
                  label={t.fileLabel}
                  value={shown}
                  onChange={setEdited}
                  readOnly={!can('agents.manage')}
                  height="min(50vh, 420px)"
                />
                <Problem of={apply} />
                <Group justify="flex-end" gap="sm">
                  <Button
                    variant="default"
                    component="a"
                    href={`data:application/yaml;charset=utf-8,${encodeURIComponent(shown)}`}
                    download="agents.yaml"
                  >
                    {t.download}
                  </Button>
                  {can('agents.manage') && (
                    <>
                      <FileButton
                        accept=".yaml,.yml,text/yaml"
                        onChange={(chosen) => void chosen?.text().then(setEdited)}
                      >
                        {(props) => (
                          <Button variant="default" {...props}>
                            {t.upload}
                          </Button>
                        )}
                      </FileButton>
                      <Button loading={apply.isPending} onClick={() => apply.mutate(shown)}>
                        {t.apply}
                      </Button>
                    </>
                  )}
                </Group>
              </>
            );
          }}
        </Loaded>
      </Stack>
    </Dialog>
  );
}
