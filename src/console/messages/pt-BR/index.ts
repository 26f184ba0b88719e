/**
 * The console's texts in Brazilian Portuguese. They address the user as “você”, the way Brazilian products do.
 *
 * Glossary: action ação · agent agente · approval aprovação · callback callback · candidate candidata · cap teto ·
 * capability permissão · channel canal · contact contato · conversation conversa · credit crédito · delivery entrega ·
 * draft rascunho · endpoint endpoint · follow-up follow-up · gateway gateway · grouping agrupamento · header cabeçalho ·
 * judge avaliador · limit limite · member membro · message mensagem · model modelo · playground playground · policy regra ·
 * preset conjunto · provider provedor · publish publicar · receiver receptor · rehearsal ensaio · request requisição ·
 * retention retenção · revoke revogar · role função · rotate rotacionar · run execução · scope escopo · secret segredo ·
 * share percentual · sign in entrar, fazer login · take over assumir · test set conjunto de testes · token token · tool ferramenta ·
 * turn turno · version versão · wait for a person aguardar atendimento humano · webhook webhook ·
 * workspace espaço de trabalho
 */
import type { Texts } from '../../messages.ts';
import { agentTexts } from './agents.ts';
import { approvalTexts } from './approvals.ts';
import { channelTexts } from './channel.ts';
import { conversationTexts } from './conversations.ts';
import { dataTexts } from './data.ts';
import { developerTexts } from './developers.ts';
import { healthTexts } from './health.ts';
import { httpToolTexts } from './http-tools.ts';
import { inspectorTexts } from './inspector.ts';
import { mcpServerTexts } from './mcp-servers.ts';
import { modelTexts } from './models.ts';
import { organizationTexts } from './organization.ts';
import { overviewTexts } from './overview.ts';
import { problemTexts } from './problems.ts';
import { rehearsalTexts } from './rehearsals.ts';
import { toolTexts } from './tools.ts';
import { versionTexts } from './versions.ts';
import { webhookTexts } from './webhooks.ts';
import { workspaceActionTexts } from './workspace-actions.ts';

export const texts = {
  product: 'Parley',
  common: {
    cancel: 'Cancelar',
    save: 'Salvar',
    saved: 'Salvo',
    done: 'Concluir',
    close: 'Fechar',
    copy: 'Copiar',
    copied: 'Copiado',
    textToCopy: 'Texto para copiar',
    copyByHand: 'O texto está selecionado: pressione Ctrl+C (⌘C no Mac) para copiá-lo.',
    loading: 'Carregando',
    retry: 'Tentar novamente',
    more: 'Mostrar mais',
    previousRow: 'Anterior na lista',
    nextRow: 'Próxima na lista',
    showAll: 'Mostrar tudo',
    showLess: 'Mostrar menos',
    none: 'Nenhum',
    never: 'Nunca',
    notFound: 'Página não encontrada',
    notFoundText: 'Confira o endereço ou escolha uma página no menu.',
    toOverview: 'Ir para a visão geral',
    couldNotLoad: 'Não foi possível carregar',
    notAllowedTitle: 'Sem acesso',
    notAllowed: 'Você não tem acesso a esta página. Fale com um administrador.',
    somethingWrong: 'Esta página teve um problema. Recarregue-a; o que você salvou foi mantido.',
    reload: 'Recarregar',
    showTyped: 'Mostrar ou ocultar o texto',
    required: 'Este campo é obrigatório',
    checkFields: (names: readonly string[]) =>
      names.length === 0 ? 'Confira os campos marcados.' : `Confira: ${names.join(', ')}.`,
    period: {
      label: 'Período',
      any: 'Qualquer data',
      today: 'Hoje',
      lastDays: (days: number) => `Últimos ${String(days)} dias`,
      custom: 'Personalizado…',
      from: 'De',
      to: 'Até',
    },
    wholeId: (length: number, typed: number) =>
      `Um ID completo tem ${String(length)} caracteres; este tem ${String(typed)}.`,
    actions: 'Ações',
    moreActions: (name: string) => `Mais ações para ${name}`,
  },
  unsaved: {
    some: 'Alterações não salvas',
    none: 'Nenhuma alteração pendente',
    restored: 'Rascunho recuperado',
    discard: {
      label: 'Descartar',
      title: 'Descartar suas alterações?',
      text: 'O formulário volta à versão salva. Esta ação não pode ser desfeita.',
      done: 'Alterações descartadas',
    },
    title: 'Você tem alterações não salvas',
    text: 'Se você sair, esta aba do navegador as guarda como rascunho até você voltar.',
    textLost: 'Se você sair agora sem salvar, elas serão perdidas.',
    stay: 'Ficar',
    leave: 'Sair e manter o rascunho',
    leaveLost: 'Sair sem salvar',
    saveAndLeave: 'Salvar e sair',
  },
  signIn: {
    title: 'Entrar',
    lead: 'Agentes, canais e conversas em um só lugar.',
    email: 'E-mail',
    password: 'Senha',
    submit: 'Entrar',
    forgotten: 'Esqueceu a senha?',
    forgottenHelp:
      'Peça a um administrador: em Membros, Redefinir senha cria um link para você. Se só existe você, quem administra esta instalação cria o link com',
    failed: 'Não foi possível entrar',
    codeTitle: 'Digite o código',
    codeLead: 'Esta conta tem um segundo fator.',
    code: 'Código',
    codeHelp: 'Os 6 dígitos que o aplicativo autenticador mostra ou um código de recuperação.',
    confirm: 'Confirmar',
    back: 'Usar outra conta',
  },
  forgotten: {
    title: 'Redefina sua senha',
    lead: 'O Parley envia por e-mail um link com o qual você escolhe uma nova.',
    email: 'E-mail',
    submit: 'Enviar link',
    sentTitle: 'Confira seu e-mail',
    sent: 'Se houver uma conta com este e-mail, um link está a caminho. Ele funciona por uma hora.',
    sentHelp: (email) =>
      `Nada chegou a ${email} depois de alguns minutos? Veja a pasta de spam ou peça a um administrador da sua organização.`,
    back: 'Voltar ao login',
  },
  nav: {
    reconnecting: 'Reconectando…',
    skip: 'Ir para o conteúdo',
    main: 'Principal',
    menu: 'Menu',
    menuWaiting: (count) => `Menu, ${count} aguardando`,
    side: 'Menu lateral',
    top: 'Barra superior',
    overview: 'Visão geral',
    agents: 'Agentes',
    conversations: 'Conversas',
    approvals: 'Aprovações',
    deliveries: 'Entregas',
    tools: 'Ferramentas',
    models: 'Modelos',
    developers: 'Desenvolvedores',
    api: 'API',
    webhooks: 'Webhooks',
    quickStart: 'Primeiros passos',
    requests: 'Log de requisições',
    documentation: 'Documentação',
    reference: 'Referência da API',
    organization: 'Organização',
    members: 'Membros',
    roles: 'Funções',
    audit: 'Log de auditoria',
    data: 'Uso e dados',
    account: 'Conta',
    signOut: 'Sair',
    organizations: 'Organizações',
    theme: 'Aparência',
    light: 'Clara',
    dark: 'Escura',
    auto: 'Padrão do sistema',
    language: 'Idioma',
  },
  palette: {
    button: 'Buscar',
    title: 'Buscar páginas, agentes e conversas',
    placeholder: 'Página, agente, contato ou mensagem',
    pages: 'Páginas',
    agents: 'Agentes',
    conversations: 'Conversas',
    nothing: 'Nada encontrado',
  },
  tokens: {
    title: 'Tokens de API',
    lead: 'Um token permite que um programa chame a API pública desta organização, até onde os escopos dele permitem.',
    generate: 'Gerar token de API',
    name: 'Nome do token',
    nameHelp: 'Use o nome do programa que vai utilizá-lo, para saber depois qual token revogar.',
    create: 'Gerar',
    access: 'Acesso',
    presets: {
      full: { label: 'Acesso total', text: 'Todas as operações, inclusive as de versões futuras.' },
      allowed: { label: 'Tudo o que sua função permite', text: 'Todos os escopos que você pode conceder.' },
      send: { label: 'Enviar mensagens', text: 'Enviar mensagens a agentes e receber as respostas.' },
      read: { label: 'Leitura', text: 'Ler o que sua função pode ver. Não alterar nada.' },
      choose: { label: 'Escolher escopos', text: 'Selecione só o necessário para o programa.' },
    },
    scopesTitle: 'Escopos',
    scopes: {
      'messages.send': 'Enviar mensagens e receber as respostas',
      'agents.view': 'Ver agentes',
      'agents.manage': 'Gerenciar agentes',
      'conversations.view': 'Ver conversas',
      'conversations.take_over': 'Assumir conversas',
      'approvals.decide': 'Aprovar chamadas de ferramentas',
      'deliveries.view': 'Ver entregas',
      'webhooks.manage': 'Gerenciar segredos de webhooks e reenviar callbacks',
      'requests.view': 'Ver o log de requisições, com os nomes dos tokens',
      'channels.manage': 'Gerenciar canais',
      'tools.view': 'Ver ferramentas e conexões',
      'tools.run': 'Executar ações de ferramentas, inclusive por MCP',
      'tools.manage': 'Conectar e desconectar ferramentas',
      'data.view': 'Ver uso e retenção',
      'data.manage': 'Exportar e apagar dados, alterar a retenção',
    },
    agents: 'Agentes',
    agentsHelp: 'O token só acessa estes agentes e as conversas deles.',
    everyAgent: 'Todos os agentes',
    onlyAgents: (names: readonly string[]) => `Só ${names.join(', ')}`,
    noAgentLeft: 'Os agentes dele foram excluídos',
    beforeScopes: 'Anterior aos escopos',
    expiry: 'Validade',
    expiries: { never: 'Não expira', 30: 'Em 30 dias', 90: 'Em 90 dias', 365: 'Em 1 ano' },
    expires: 'Expira em',
    createdBy: (name: string) => `por ${name}`,
    rotate: {
      label: 'Rotacionar token',
      title: (name: string) => `Rotacionar ${name}?`,
      lead: 'O token recebe um novo segredo. Os escopos, limites e estatísticas dele são mantidos.',
      overlap: 'Segredo anterior',
      overlapHelp: 'Tempo para entregar o novo segredo ao programa.',
      overlaps: {
        0: 'Deixa de funcionar imediatamente',
        3600: 'Funciona por 1 hora',
        86400: 'Funciona por 1 dia',
        604800: 'Funciona por 7 dias',
      },
    },
    previousUntil: 'O segredo anterior funciona até',
    made: {
      title: 'Copie o token agora',
      lead: 'Você não o verá de novo. Se perdê-lo, revogue-o e gere outro.',
      label: 'Token',
      copyLabel: 'Copiar token',
    },
    columns: {
      name: 'Nome',
      prefix: 'Prefixo',
      status: 'Status',
      created: 'Criado',
      lastUsed: 'Último uso',
      calls: 'Chamadas',
    },
    sinceCreation: 'desde a criação',
    messages: (used: string, limit: string | null) =>
      limit === null
        ? `${used} ${used === '1' ? 'mensagem' : 'mensagens'} neste mês`
        : `${used} de ${limit} mensagens neste mês`,
    credits: (used: string, limit: string) => `${used} de ${limit} créditos neste mês`,
    limit: 'Definir limite',
    limitTitle: (name: string) => `Limite mensal de ${name}`,
    limitHelp:
      'Quando o limite é atingido, novas mensagens enviadas com este token são recusadas até o dia 1º do próximo mês (UTC). Deixe em branco para não ter limite.',
    limited: 'Limite salvo',
    limitReached: 'Limite atingido',
    statuses: { Active: 'Ativo', Expired: 'Expirado', Revoked: 'Revogado' },
    table: 'Tokens de API desta organização',
    revokeHelp: 'Revogar interrompe o token imediatamente; ele continua na lista.',
    deleteHelp: 'Excluir também o interrompe e o remove da lista.',
    revoke: (name: string, lastUsed: string | undefined) => ({
      label: 'Revogar token',
      title: `Revogar ${name}?`,
      text: `${lastUsed === undefined ? 'Ele nunca foi usado.' : `Último uso: ${lastUsed}.`} As chamadas à API com ele são recusadas em até um segundo. Esta ação não pode ser desfeita.`,
      done: 'Token revogado',
    }),
    delete: (name: string, lastUsed: string | undefined) => ({
      label: 'Excluir token',
      title: `Excluir ${name}?`,
      text: `${lastUsed === undefined ? 'Ele nunca foi usado.' : `Último uso: ${lastUsed}.`} O token para de funcionar e some desta lista. Esta ação não pode ser desfeita.`,
      done: 'Token excluído',
    }),
    emptyTitle: 'Nenhum token ainda',
    emptyText: 'Gere um para chamar a API.',
    notViewable: 'Sua função não permite ver tokens de API.',
    usage: 'Envie-o em cada chamada como',
    requestsOf: (name: string) => `Requisições de ${name}`,
  },
  ...overviewTexts,
  ...agentTexts,
  ...approvalTexts,
  ...channelTexts,
  ...conversationTexts,
  ...dataTexts,
  ...developerTexts,
  ...healthTexts,
  ...httpToolTexts,
  ...mcpServerTexts,
  ...inspectorTexts,
  ...modelTexts,
  ...organizationTexts,
  ...problemTexts,
  ...rehearsalTexts,
  ...toolTexts,
  ...workspaceActionTexts,
  ...versionTexts,
  webhooks: webhookTexts,
} satisfies Texts;
