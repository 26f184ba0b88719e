/** The contract's workflows are the registered ones: same names, same arguments. */
import assert from 'node:assert/strict';
import * as registered from '../../workflows/index.ts';
import * as contract from '../../src/contract/workflows.ts';

/** A workflow that takes other arguments than its clients give does not compile. */
const workflows: contract.Workflows = registered;
const named: Record<keyof contract.Workflows, true> = {
  conversation: true,
  channel: true,
  toolAction: true,
  rehearsal: true,
  sweep: true,
  watch: true,
};

describe('Registered workflows', () => {
  it('are those of the contract', () => {
    assert.deepEqual(Object.keys(workflows).sort(), Object.keys(named).sort());
    const { conversationWorkflow, channelWorkflow, toolActionWorkflow } = contract;
    const { rehearsalWorkflow, recoveryWorkflow, watchWorkflow } = contract;
    assert.deepEqual(
      [
        ...[conversationWorkflow, channelWorkflow, toolActionWorkflow],
        ...[rehearsalWorkflow, recoveryWorkflow, watchWorkflow],
      ].sort(),
      Object.keys(named).sort(),
    );
  });

  it('a conversation is identified by the id of its workflow', () => {
    const id = crypto.randomUUID();
    assert.equal(contract.conversationOfWorkflow(contract.conversationWorkflowId(id)), id);
    assert.equal(contract.conversationOfWorkflow(contract.channelWorkflowId(id)), undefined);
    assert.equal(contract.conversationOfWorkflow(undefined), undefined);
  });
});
