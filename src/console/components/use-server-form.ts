/**
 * A form that the server validates. An error about a field is shown beside that field, and the first such field gets
 * the focus: the first in view, if the form has tabs, or else the first of all, whose tab is then opened.
 */
import { useForm } from '@mantine/form';
import { useMutation, type MutationMeta } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { ApiProblem } from '../client.ts';
import { texts } from '../messages.ts';
import type { QuestionText } from './dialogs.tsx';
import { fieldOf } from './form-values.ts';

type Values = Record<string, unknown>;

/** Checks that a field contains more than spaces. @returns the error message; null if it does */
export const required = (value: unknown): string | null =>
  typeof value !== 'string' || value.trim() === '' ? texts.common.required : null;

export interface Bounds {
  min: number;
  max?: number;
  whole?: true;
}

/** Returns a function that checks a number field. It returns the error message; null if the value is valid or empty. */
export const within =
  ({ min, max = Infinity, whole }: Bounds) =>
  (value: unknown): string | null => {
    if (value === '') return null;
    if (Number(value) < min) return texts.problems.atLeast(String(min));
    if (Number(value) > max) return texts.problems.atMost(String(max));
    return whole === true && !Number.isInteger(Number(value)) ? texts.problems.whole : null;
  };

interface Options<V extends Values, A> {
  /**
   * Initial values, by the API's field names, so that an error about `follow_ups.0.after_seconds` is shown beside that
   * field.
   */
  values: V;
  check?: Partial<Record<keyof V, (value: unknown) => string | null>>;
  /**
   * Checks all fields at once, for a form whose fields depend on data. Returns the error messages by field. If set,
   * `check` is ignored.
   */
  checkAll?: (values: V) => Record<string, string>;
  /** Returns the text of a confirmation if the user must confirm these values before they are sent. */
  ask?: (values: V) => QuestionText | undefined | Promise<QuestionText | undefined>;
  send: (values: V) => Promise<A>;
  /** Called after success. @param values the values that were sent; the user may have changed the form since */
  sent?: (answer: A, values: V) => unknown;
  /** The queries that are fetched again after success, and the notification that is shown, before `sent` is called. */
  meta?: MutationMeta;
  /** True if the response contains a secret. The cache then drops the response when the form closes. */
  secret?: boolean;
}

export function useServerForm<V extends Values, A>(options: Options<V, A>) {
  const { values, check = {}, checkAll, ask = () => undefined, send, sent, meta, secret = false } = options;
  const form = useForm<V>({
    initialValues: values,
    validate: (now) => checkAll?.(now) ?? problemsOf(now, check),
  });
  const element = useRef<HTMLFormElement>(null);
  const [refused, setRefused] = useState<{ names: readonly string[]; isShown: boolean }>();
  const mark = () => setRefused({ names: [], isShown: false });
  const sending = useMutation({
    mutationFn: send,
    ...(secret && { gcTime: 0 }),
    onMutate: () => setRefused(undefined),
    ...(sent && { onSuccess: sent }),
    ...(meta && { meta }),
    onError: (error, tried) => {
      const errors = errorsBeside(error, tried);
      form.setErrors(errors);
      if (Object.keys(errors).length > 0) mark();
    },
  });
  const [question, setQuestion] = useState<QuestionText & { values: V }>();
  const asking = useMutation({
    mutationFn: async (now: V) => await ask(now),
    onSuccess: (asked, now) => {
      if (asked === undefined) sending.mutate(now);
      else setQuestion({ ...asked, values: now });
    },
  });
  // Runs as an effect, because the fields that show an error can be found only after the errors are rendered.
  useEffect(() => {
    if (refused === undefined || refused.isShown) return;
    const marked = [...(element.current?.querySelectorAll<HTMLElement>(markedFields) ?? [])];
    const first = marked.find((field) => field.checkVisibility()) ?? marked[0];
    const isFocusable = first === undefined || !opensTabOf(first);
    // If a tab was opened, runs again once its panel is rendered.
    const names = [...new Set(marked.map(nameOf))].filter((name) => name !== '');
    setRefused({ names, isShown: isFocusable });
    if (!isFocusable) return;
    first?.scrollIntoView({ block: 'center' });
    first?.focus({ preventScroll: true });
  }, [refused]);
  const { variables } = sending;
  const error = asking.error ?? sending.error;
  const isBeside = error instanceof ApiProblem && isSaidBeside(error, variables);
  return {
    form,
    element,
    submit: (event?: SyntheticEvent<HTMLFormElement>) => {
      if (event !== undefined) element.current = event.currentTarget;
      form.onSubmit((now) => asking.mutate(now), mark)(event);
    },
    /**
     * Validates and sends the values, without asking for confirmation.
     * @returns true if they were saved; false if a value is invalid or the request failed
     */
    save: async (): Promise<boolean> => {
      if (form.validate().hasErrors) {
        mark();
        return false;
      }
      return await sending.mutateAsync(form.getValues()).then(
        () => true,
        () => false,
      );
    },
    /**
     * State of the last attempt. If every detail of its error is shown beside a field, `error` lists only the names of
     * those fields. Otherwise, `error` is the error that the attempt threw, or null.
     */
    trying: {
      error: isBeside ? new Error(texts.common.checkFields(refused?.names ?? [])) : error,
      isPending: asking.isPending || sending.isPending,
    },
    /** The open confirmation, if any. The form sends nothing until `yes` is called. */
    question: question && {
      ...question,
      yes: () => {
        setQuestion(undefined);
        sending.mutate(question.values);
      },
      no: () => setQuestion(undefined),
    },
    answer: sending.data,
    forget: sending.reset,
  };
}

const markedFields = '[aria-invalid="true"], [data-problem-of]';

/** Opens the tab whose panel contains the field, if the panel is hidden. @returns true if there is such a tab */
function opensTabOf(field: HTMLElement): boolean {
  const panel = field.closest('[role="tabpanel"]');
  if (panel === null || panel.checkVisibility()) return false;
  document.getElementById(panel.getAttribute('aria-labelledby') ?? '')?.click();
  return true;
}

/** Returns the label of a field that shows an error; an empty text if it has none. */
function nameOf(field: HTMLElement): string {
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.labels?.[0] : null;
  return (label?.textContent ?? field.dataset['problemOf'] ?? field.ariaLabel ?? '').trim();
}

/** Checks single fields. @returns the error message by field; empty if all of them are valid */
export function problemsOf(
  values: Values,
  check: Partial<Record<string, (value: unknown) => string | null>>,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [field, judge] of Object.entries(check)) {
    const problem = judge?.(values[field]);
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
