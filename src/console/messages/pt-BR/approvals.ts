import type { approvalTexts as english } from '../approvals.ts';
import type { Translation } from '../translation.ts';

export const approvalTexts = {
  approvals: {
    title: 'Aprovações',
    lead: 'Chamadas de ferramentas que uma pessoa precisa aprovar. O que você vê é o que será executado, uma única vez.',
    waiting: 'Aguardando decisão',
    waitingCount: (count: number) =>
      count === 1
        ? '1 chamada de ferramenta aguarda aprovação'
        : `${String(count)} chamadas de ferramentas aguardam aprovação`,
    waitingText: (count: number) =>
      `${count === 1 ? 'A conversa continuará' : 'As conversas continuarão'} assim que alguém decidir.`,
    toApprovals: 'Decidir',
    nothing: 'Nada aguardando',
    nothingText: 'As chamadas aparecem aqui quando a regra da ferramenta exige que uma pessoa as aprove.',
    more: 'Só as 100 mais recentes são mostradas.',
    wantsToCall: (agent: string) => `O agente ${agent} quer chamar`,
    requested: 'Aprovação solicitada',
    question: (tool: string) => `Aprovar ${tool}?`,
    refusedIn: 'Será recusada',
    approvedIn: 'Será aprovada',
    unlessDecided: 'se ninguém decidir antes',
    asked: (people: string) => `Consultados no WhatsApp: ${people}.`,
    askedStatuses: {
      pending: 'ainda não enviado',
      sent: 'enviado',
      unknown: 'pode ter chegado',
      failed: 'não enviado',
    },
    conversation: 'Abrir a conversa',
    arguments: (tool: string, number: number) => `Argumentos de ${tool}, chamada ${String(number)}`,
    note: 'Observação',
    noteHelp: 'Se você recusar, o agente lê a observação.',
    approve: 'Aprovar',
    refuse: 'Recusar',
    done: { approve: 'Aprovada', refuse: 'Recusada' },
    mayNotDecide:
      'Sua função não permite decidir. É necessária a permissão “Aprovar chamadas de ferramentas”.',
    writes: 'Última mensagem do contato',
    history: 'Decididas',
    table: 'Aprovações decididas',
    columns: {
      tool: 'Ferramenta',
      status: 'Status',
      arguments: 'Argumentos',
      agent: 'Agente',
      contact: 'Contato',
      by: 'Decidida por',
      when: 'Decidida',
    },
    statusFilter: 'Status',
    allStatuses: 'Todos os status',
    statuses: {
      waiting: 'Aguardando',
      approved: 'Aprovada',
      executed: 'Executada',
      refused: 'Recusada',
      expired: 'Expirada',
      unknown: 'Resultado desconhecido',
    },
    system: 'Parley',
    none: 'Nenhuma decisão',
    noneText:
      'As chamadas aparecem aqui depois que alguém decide. Se você definiu um filtro, remova-o para ver mais.',
    inTimeline: {
      approved: (name: string) => `Aprovada por ${name}`,
      refused: (name: string) => `Recusada por ${name}`,
      expired: 'Ninguém decidiu a tempo',
    },
  },
} satisfies Translation<typeof english>;
