/** A form that the server judges: what it says of a field stands beside that field. */
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { ApiProblem } from '../client.ts';
import { words } from '../words.ts';
import { fieldOf } from './field-of.ts';

type Values = Record<string, unknown>;

/** What an empty required field says, before anything is sent. */
export const required = (value: string): string | null =>
  value.trim() === '' ? words.common.required : null;

interface Options<V extends Values, A> {
  /** Named as the API names them, so that its word on `follow_ups.0.after_seconds` finds its field. */
  values: V;
  check?: Partial<Record<keyof V, (value: string) => string | null>>;
  send: (values: V) => Promise<A>;
  sent: (answer: A) => unknown;
  /** The answer holds a secret: it is forgotten with the form. */
  secret?: boolean;
}

export function useServerForm<V extends Values, A>(options: Options<V, A>) {
  const { values, check = {}, send, sent, secret = false } = options;
  const form = useForm<V>({ initialValues: values, validate: (now) => problemsOf(now, check) });
  const sending = useMutation({
    mutationFn: send,
    ...(secret && { gcTime: 0 }),
    onSuccess: sent,
    onError: (error, tried) => {
      form.setErrors(errorsBeside(error, tried));
    },
  });
  const { error, isPending, variables, data, reset } = sending;
  const isBeside = error instanceof ApiProblem && isSaidBeside(error, variables);
  return {
    form,
    submit: form.onSubmit((now) => {
      sending.mutate(now);
    }),
    /** The present try: `error` is what is to be said beside no single field. */
    trying: { error: isBeside ? new Error(words.common.lookAtFields) : error, isPending },
    answer: data,
    forget: reset,
  };
}

function problemsOf(
  values: Values,
  check: Partial<Record<string, (value: string) => string | null>>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [field, judge] of Object.entries(check)) {
    const value = values[field];
    const problem = judge?.(typeof value === 'string' ? value : '');
    if (problem != null) problems[field] = problem;
  }
  return problems;
}

function errorsBeside(error: Error, values: Values): Record<string, string> {
  const errors: Record<string, string> = {};
  if (!(error instanceof ApiProblem)) return errors;
  for (const { path, message } of error.details) {
    const field = fieldOf(values, path);
    const line = field === path ? message : `${path}: ${message}`;
    errors[field] = errors[field] === undefined ? line : `${errors[field]}\n${line}`;
  }
  return errors;
}

function isSaidBeside({ details }: ApiProblem, values: Values | undefined): boolean {
  return (
    details.length > 0 && details.every(({ path }) => (path.split('.')[0] ?? '') in { ...(values ?? {}) })
  );
}
