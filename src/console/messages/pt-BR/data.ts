import { countText } from '../../components/format.ts';
import type { dataTexts as english } from '../data.ts';
import type { Translation } from '../translation.ts';

const inDays = (days: number) => `${countText(days)} ${days === 1 ? 'dia' : 'dias'}`;
const counted = (count: number, one: string, many: string) =>
  `${count >= 10_000 ? 'pelo menos ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const countOf = (count: number) => `${countText(count)} ${count === 1 ? 'conversa' : 'conversas'}`;

export const dataTexts = {
  data: {
    title: 'Uso e dados',
    lead: 'Uso, limites, retenção, exportação e exclusão.',
    period: 'Período',
    periods: { month: 'Este mês', last_month: 'Mês passado', days: 'Últimos 30 dias' },
    compared: (share: string, days: string) => `${share} vs. ${days}`,
    nothingBefore: (days: string) => `Nenhum uso ${days}`,
    credits: 'Créditos',
    messages: 'Mensagens',
    ofLimit: (limit: string) => `de ${limit}`,
    limits: 'Limites',
    saveLimits: 'Salvar limites',
    usage: 'Uso',
    messagesByDay: 'Mensagens por dia',
    costByDay: 'Custo por dia (US$)',
    keeping: 'Retenção, exportação e exclusão',
    by: 'Uso por',
    scripted: 'Respostas de teste dos agentes, sem modelo',
    byAgent: 'Por agente',
    byModel: 'Por modelo',
    byToken: 'Por token de API',
    withoutToken: 'Sem token, como no WhatsApp',
    rehearsals: 'Ensaios',
    withoutRehearsals: 'Conversas e testes',
    total: 'Total',
    erasedData: 'Dados apagados, ensaios repetidos',
    modelColumns: {
      agent: 'Agente',
      token: 'Token de API',
      model: 'Modelo',
      calls: 'Chamadas',
      input: 'Tokens de entrada',
      output: 'Tokens de saída',
      credits: 'Créditos',
      cost: 'Custo (USD)',
    },
    creditMeaning:
      'O custo das chamadas ao modelo. Quem administra o seu servidor define quantos créditos custam 1.000 tokens de um modelo; créditos não são dólares.',
    costHelp: 'Pelos preços salvos, sem chamadas com falha',
    withoutPrice: (count: number) =>
      `sem ${countText(count)} ${count === 1 ? 'modelo que não tem' : 'modelos que não têm'} preço`,
    limitLabel: 'Créditos por mês',
    messageLimitLabel: 'Mensagens por mês',
    limitHelp:
      'O custo de todas as chamadas ao modelo, pelos valores que quem administra o seu servidor definiu.',
    messageLimitHelp: 'Mensagens recebidas, em todos os canais.',
    limitsTitle: 'Limites da API',
    limitsLead:
      'Um limite atingido interrompe as mensagens novas pela API. O WhatsApp, os follow-ups e o playground continuam.',
    limitHeads: {
      name: 'Limite',
      used: 'Usado',
      resets: 'Neste mês. Zera no dia 1º (UTC)',
      stays: 'Nunca zera',
      limit: 'Máximo',
    },
    capsTitle: 'Tetos rígidos de créditos',
    capsHelp:
      'Por dia, mês, contato ou conversa. Ao contrário dos limites acima, um teto também interrompe as respostas no WhatsApp e os follow-ups: uma chamada que poderia custar mais do que resta não é feita. Deixe em branco para não ter teto.',
    capsLead:
      'Um teto interrompe também o WhatsApp e os follow-ups: uma chamada ao modelo que possa custar mais do que resta não é feita.',
    capVerdict: (day?: string, month?: string, api?: string) =>
      (day === undefined && month === undefined
        ? 'A organização não tem teto: nada limita o custo total do WhatsApp, dos follow-ups e do playground.'
        : `A organização gasta no máximo ${[day && `${day} créditos por dia`, month && `${month} créditos por mês`].filter(Boolean).join(' e ')}.${month === undefined ? ' Não há teto mensal.' : ''}`) +
      (api === undefined ? '' : ` A API também para em ${api} créditos por mês.`),
    noCap: 'Sem teto',
    caps: {
      day: 'Teto por dia',
      month: 'Teto por mês',
      contact_day: 'Teto por contato e dia',
      contact_month: 'Teto por contato e mês',
      conversation_day: 'Teto por conversa e dia',
      conversation_month: 'Teto por conversa e mês',
    },
    capHeads: {
      name: 'Vale para',
      day: 'Por dia',
      dayEnds: 'Zera à meia-noite (UTC)',
      month: 'Por mês',
      monthEnds: 'Zera no dia 1º (UTC)',
    },
    capRows: {
      organization: {
        name: 'Organização inteira',
        stops: 'Interrompe todas as chamadas ao modelo: API, WhatsApp, follow-ups e playground.',
      },
      contact: { name: 'Cada contato', stops: 'Interrompe respostas e follow-ups a esse contato.' },
      conversation: { name: 'Cada conversa', stops: 'Interrompe respostas e follow-ups nessa conversa.' },
    },
    capNear: (share: string) => `${share} usado. Aumente o teto antes que as respostas parem.`,
    capFull: 'Esgotado. Os agentes não respondem mais.',
    limitNear: (share: string) => `${share} usado`,
    limitFull: 'Atingido. Novas mensagens pela API são recusadas.',
    storageFull: 'Cheio. Mensagens com arquivos são recusadas.',
    capUsed: {
      day: (used: string) => `${used} usados hoje`,
      month: (used: string) => `${used} usados neste mês`,
    },
    storage: 'Armazenamento',
    storageNow: 'Armazenamento agora',
    units: { credits: 'créditos', messages: 'mensagens', storage: 'GB' },
    storageLabel: 'Limite de armazenamento',
    storageHelp:
      'Todos os arquivos armazenados. Interrompe mensagens com arquivos; os indicados por URL ou enviados no WhatsApp não são baixados.',
    storageNone: (limit: string | null) => (limit === null ? 'Sem limite' : `Padrão: ${limit}`),
    creditsThisMonth: 'Créditos neste mês',
    messagesThisMonth: 'Mensagens neste mês',
    calls: 'Uma chamada é um pedido a um modelo. Uma mensagem pode precisar de várias.',
    tokenMessages: 'Mensagens e seus créditos, pelo token que as enviou.',
    none: 'Sem limite',
    retentionUnit: (days: number) => (days === 1 ? 'dia' : 'dias'),
    keepAll: 'Manter tudo',
    limitQuestion: {
      title: 'Recusar novas mensagens a partir de agora?',
      used: {
        credits: (used: string) =>
          `${used} ${used === '1' ? 'crédito foi usado' : 'créditos foram usados'} neste mês.`,
        messages: (used: string) =>
          `${used} ${used === '1' ? 'mensagem foi recebida' : 'mensagens foram recebidas'} neste mês.`,
      },
      text: {
        organization: (used: string, limit: string) =>
          `${used} Com um limite de ${limit}, novas mensagens pela API são recusadas (HTTP 402) até o dia 1º do próximo mês (UTC) ou até alguém aumentar o limite. As mensagens do WhatsApp continuam sendo respondidas.`,
        token: (used: string, limit: string) =>
          `${used} Com um limite de ${limit}, novas mensagens enviadas com este token são recusadas (HTTP 402) até o dia 1º do próximo mês (UTC) ou até alguém aumentar o limite.`,
      },
      action: 'Salvar o limite',
    },
    reached: {
      credits: 'Os créditos deste mês acabaram. Novas mensagens pela API são recusadas (HTTP 402).',
      messages: 'As mensagens deste mês acabaram. Novas mensagens pela API são recusadas (HTTP 402).',
      until: (day: string) => `Isso termina em ${day} (UTC).`,
      raise: 'Aumentar o limite',
      ask: 'Peça a um administrador que aumente o limite.',
    },
    retentionQuestion: {
      title: (days: number) => `Manter as conversas por apenas ${inDays(days)}?`,
      size: (days: number, { whole, part, complete }: { whole: number; part: number; complete: boolean }) =>
        [
          `${complete ? '' : 'Pelo menos '}${countOf(whole + part)} ${whole + part === 1 ? 'tem' : 'têm'} algo com mais de ${inDays(days)}.`,
          whole > 0
            ? `${countOf(whole)} ${whole === 1 ? 'será apagada' : 'serão apagadas'} por completo.`
            : '',
          part > 0
            ? `${countOf(part)} ${part === 1 ? 'perderá as mensagens mais antigas' : 'perderão as mensagens mais antigas'}.`
            : '',
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      end: 'A exclusão começa imediatamente e não pode ser desfeita.',
      nothing: (days: number) =>
        `Ainda não há nada com mais de ${inDays(days)}. A partir de agora, os dados mais antigos serão apagados permanentemente.`,
      action: 'Apagar e salvar',
      actionNothing: 'Salvar',
    },
    erasureSize: (conversations: number, messages: number, files: number, deliveries: number) =>
      conversations === 0
        ? 'Não há conversa para apagar. Só são excluídos os dados que um canal tem do contato.'
        : `Isto apaga ${[
            countOf(conversations),
            counted(messages, 'mensagem', 'mensagens'),
            counted(files, 'arquivo', 'arquivos'),
            counted(deliveries, 'entrega', 'entregas'),
          ]
            .filter((part) => !part.startsWith('0 '))
            .join(', ')}.`,
    storageQuestion: {
      title: 'Recusar mensagens com arquivos a partir de agora?',
      text: (used: string, limit: string) =>
        `Os arquivos ocupam ${used}. Com um limite de ${limit}, mensagens com arquivos são recusadas e arquivos indicados por URL não são baixados até que arquivos sejam apagados ou alguém aumente o limite. Os arquivos já armazenados são mantidos.`,
    },
    capsQuestion: {
      title: 'Parar as chamadas ao modelo a partir de agora?',
      text: {
        day: (used: string, cap: string) =>
          `${used} créditos foram usados hoje; o teto é ${cap}. Os agentes não chamam mais o modelo até a meia-noite (UTC).`,
        month: (used: string, cap: string) =>
          `${used} créditos foram usados neste mês; o teto é ${cap}. Os agentes não chamam mais o modelo até o dia 1º do próximo mês (UTC).`,
        end: 'Isso inclui o WhatsApp e os follow-ups.',
      },
    },
    saveOf: (what: string) => `Salvar: ${what}`,
    retention: 'Retenção e exportação',
    keptNow: (days: number | null) =>
      days === null
        ? 'Mantido agora: tudo'
        : `Mantido agora: ${days === 1 ? 'o último dia' : `os últimos ${inDays(days)}`}`,
    keptHelp:
      'Conversas, com suas mensagens, arquivos, chamadas de ferramentas, notas e entregas. A idade conta a partir do fim de uma resposta; a de uma mensagem sem resposta ou de uma nota, a partir da criação.',
    retentionLabel: 'Dias de retenção',
    retentionHelp:
      'O que for mais antigo é apagado permanentemente, a partir de agora; antes de salvar, você vê quanto é. Deixe em branco para manter tudo.',
    ownTerms: {
      title: 'Com retenção própria',
      requests: 'Log de requisições',
      audit: 'Log de auditoria',
      rehearsals: 'Ensaios',
      agents: 'Agentes excluídos',
      days: inDays,
      auditDays: (days: number | null) =>
        `${days === null ? 'Para sempre' : inDays(days)}. Quem administra o seu servidor muda o prazo com`,
      restorable: (days: number) => `Podem ser restaurados por ${inDays(days)}`,
    },
    export: 'Exportação',
    exportText: 'Agentes, contatos e conversas com tudo o que contêm, em um objeto JSON por linha.',
    exportAction: 'Baixar tudo',
    erasure: 'Exclusão definitiva',
    erasureLead: 'O que é apagado não pode ser restaurado.',
    erase: 'Apagar um contato',
    contact: 'Contato',
    contactHelp: 'Nome ou id',
    findContact: 'Buscar contato',
    contactUnknown: 'Nenhuma conversa tem este contato. Ainda assim, é possível apagar exatamente este id.',
    contactErases: 'Todas as conversas do contato são apagadas, com mensagens, arquivos e entregas.',
    eraseContact: (id: string) => ({
      label: 'Apagar contato',
      title: `Apagar ${id}?`,
      text: 'Todas as conversas deste contato com todos os agentes são excluídas, com mensagens, arquivos e entregas. Esta ação não pode ser desfeita.',
      done: 'Contato apagado',
    }),
    exportContact: 'Baixar este contato',
    eraseOrganization: 'Apagar a organização inteira',
    eraseOrganizationHelp:
      'Todo o acesso é encerrado imediatamente e nada pode ser restaurado. Peça a quem administra o seu servidor.',
    eraseOrganizationCommand: 'Mostrar comando',
  },
} satisfies Translation<typeof english>;
