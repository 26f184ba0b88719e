/** Reads the metrics in a PromQL expression by the grammar of Prometheus's own web page. */
import { parser } from '@prometheus-io/lezer-promql';

export type Selector = { metric: string; matchers: { label: string; operator: string; value: string }[] };

/** @throws Error if Prometheus would refuse the expression */
export function selectorsOf(expression: string): Selector[] {
  const selectors: Selector[] = [];
  const textOf = ({ from, to }: { from: number; to: number }) => expression.slice(from, to);
  parser.parse(expression).iterate({
    enter: (node) => {
      if (node.type.isError) throw new Error(`no PromQL at ${node.from}: ${expression}`);
      if (node.name !== 'VectorSelector') return;
      const metric = node.node.getChild('Identifier');
      const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
      selectors.push({
        metric: metric === null ? '' : textOf(metric),
        matchers: matchers.map((one) => {
          const [, label = '', operator = '', value = ''] =
            /^(\w+)\s*(=~|!~|!=|=)\s*"(.*)"$/.exec(textOf(one)) ?? [];
          return { label, operator, value };
        }),
      });
    },
  });
  return selectors;
}
