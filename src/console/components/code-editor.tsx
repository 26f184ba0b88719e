/**
 * A text editor for YAML, with line numbers and syntax colours. The Tab key leaves the editor, as it leaves any other
 * field.
 */
import { yaml } from '@codemirror/lang-yaml';
import { useComputedColorScheme } from '@mantine/core';
import CodeMirror, { EditorView } from '@uiw/react-codemirror';

export function CodeEditor(props: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  readOnly?: boolean;
  /** Sets `aria-invalid`. After an error, `useServerForm` focuses the first field that has it. */
  invalid?: boolean;
  height?: string;
}) {
  const { label, value, onChange, readOnly = false, invalid = false, height = '280px' } = props;
  const scheme = useComputedColorScheme('light');
  return (
    <div className="panel code-editor">
      <CodeMirror
        value={value}
        onChange={onChange}
        readOnly={readOnly}
        height={height}
        theme={scheme}
        indentWithTab={false}
        extensions={[
          yaml(),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            'aria-label': label,
            tabindex: '0',
            ...(invalid && { 'aria-invalid': 'true' }),
          }),
        ]}
        basicSetup={{
          foldGutter: false,
          highlightActiveLine: false,
          // Off, because a highlighted line number has too little contrast in the dark theme.
          highlightActiveLineGutter: false,
          autocompletion: false,
        }}
      />
    </div>
  );
}
