/** Bugs of approvals, planted into the SQL functions of a database or the code of its workers; each must be noticed. */
import type { Plant } from '../support/interleavings/load-simulated.ts';
import type { Violation } from './count-outcomes.ts';

const sql = (name: string) => `src/adapters/postgres/functions/${name}.sql`;

export const plants: Record<string, Plant & { causes: Violation }> = {
  'an expired approval executes its call': {
    file: sql('settle_approval'),
    find: "case v_approval.on_expiry when 'approve' then 'approved' else 'expired' end",
    put: "'approved'",
    causes: 'undecided',
  },
  'two deciders win': {
    file: sql('decide_approval'),
    find: "if v_approval.status <> 'waiting' then return",
    put: 'if false then return',
    causes: 'bothWon',
  },
  'the arguments are read again from a changed row': {
    file: sql('approval_hash'),
    find: 'p_tool || chr(10) || p_arguments::text',
    put: 'p_tool',
    causes: 'otherArguments',
  },
  'a call is executed without looking at its decision': {
    file: 'src/adapters/postgres/conversations/tool-calls.ts',
    find: `t.status in ('pending', 'attempting') and r.id = t.run_id and r.state = 'running'
      and not exists`,
    put: `t.status in ('waiting', 'pending', 'attempting') and r.id = t.run_id and r.state = 'running'
      or false and not exists`,
    causes: 'undecided',
  },
};
