import { countText } from '../../components/format.ts';
import type { toolTexts as english } from '../tools.ts';
import type { Translation } from '../translation.ts';

const times = (count: number) => (count === 1 ? '1 vez' : `${countText(count)} vezes`);

export const toolTexts = {
  mcpClients: {
    title: 'Conectar um cliente MCP',
    titleOf: (name: string) => `Conectar ${name}?`,
    lead: 'Este programa quer agir em seu nome no Parley.',
    incompleteTitle: 'Este link está incompleto',
    incomplete: 'Comece de novo no programa que enviou você para cá.',
    client: 'Programa',
    receiver: 'A resposta vai para',
    organization: 'Organização',
    as: 'Sessão iniciada como',
    may: (organization: string) =>
      `Ele pode executar todas as ações nos espaços de trabalho de documentos de ${organization}, até que você o remova em API ou perca o direito de criar tokens de API.`,
    warning: 'Um programa escolhe o próprio nome. Permita só se foi você quem começou isto agora mesmo.',
    allow: 'Permitir',
    refuse: 'Recusar',
    answered: 'O programa recebeu sua resposta. Você pode fechar esta página.',
    connected: 'Clientes MCP conectados',
    connectedLead: 'Programas que membros autorizaram a executar ações em documentos desta organização.',
    columns: { name: 'Programa', member: 'Autorizado por', since: 'Desde', lastUsed: 'Último uso' },
    remove: (name: string) => ({
      label: 'Remover',
      title: `Remover ${name}?`,
      text: 'As chamadas dele passam a ser recusadas em até um segundo. Para voltar, ele precisa pedir autorização novamente.',
      done: 'Cliente MCP removido',
    }),
  },
  toolActivity: {
    noAgent: 'Nenhum agente',
    usedBy: (_agents: number) => 'Usada por',
    usedByCount: (count: number) =>
      count === 0
        ? 'Nenhum agente usa'
        : `Usada por ${countText(count)} ${count === 1 ? 'agente' : 'agentes'}`,
    calls: (count: number) => (count === 0 ? 'nenhuma chamada hoje' : `${times(count)} hoje`),
    callsAtLeast: (count: number) => `pelo menos ${times(count)} hoje`,
    failed: (count: number) => `${countText(count)} com falha`,
    moreAgents: (count: number) => `e mais ${String(count)}`,
    last: {
      succeeded: 'A última chamada deu certo',
      failed: 'A última chamada falhou',
      unknown: 'Última chamada: resultado desconhecido',
      pending: 'Última chamada em andamento',
    },
  },
  schemaForm: {
    none: 'Sem argumentos.',
    optional: (count: number) => `Argumentos opcionais: ${String(count)}`,
    optionalLabel: (name: string) => `${name} (opcional)`,
    jsonLabel: (label: string) => `${label}, em JSON`,
    json: 'Todos os argumentos, em JSON',
    asJson: 'Editar em JSON',
    yes: 'Sim',
    no: 'Não',
    notSet: 'Não definido',
    choose: 'Escolher',
    addText: 'Digite um texto e pressione Enter',
    problems: {
      missing: 'Este campo é obrigatório',
      not_a_number: 'Informe um número.',
      not_json: 'Isto não é JSON. Confira aspas, vírgulas e colchetes.',
      no_object: 'Informe os argumentos como um objeto JSON, como {"name": "value"}.',
      only_json: 'O formulário não tem campos para alguns destes argumentos. Remova-os ou execute em JSON.',
    },
  },
  tools: {
    title: 'Ferramentas',
    lead: 'O que os agentes podem consultar e alterar: Notion, APIs HTTP e servidores MCP.',
    available: 'Disponíveis',
    connected: 'Conectadas',
    search: 'Buscar ferramentas',
    searchAll: (count: number) => `Buscar entre ${String(count)} ferramentas`,
    none: 'Nenhuma ferramenta corresponde à sua busca.',
    docs: {
      name: 'Notion',
      text: 'Busque, leia e edite páginas, bancos de dados, comentários e arquivos da sua equipe.',
      counted: (count: number) =>
        count === 1 ? '1 espaço de trabalho conectado' : `${String(count)} espaços de trabalho conectados`,
      refused: (count: number) =>
        count === 1 ? '1 espaço recusa o acesso' : `${String(count)} espaços recusam o acesso`,
    },
    http: {
      name: 'APIs HTTP',
      text: 'Deixe os agentes chamarem o sistema da sua loja, de reservas ou de pedidos. Descreva uma requisição ou importe um arquivo OpenAPI.',
      counted: (count: number) => (count === 1 ? '1 ferramenta' : `${String(count)} ferramentas`),
    },
    mcp: {
      name: 'Servidores MCP',
      text: 'Adicione um servidor do Model Context Protocol e escolha quais ferramentas dele os agentes podem chamar.',
      counted: (count: number, unsigned: number) => {
        const servers = count === 1 ? '1 servidor' : `${String(count)} servidores`;
        return unsigned === 0 ? servers : `${servers}, login pendente em ${String(unsigned)}`;
      },
    },
    notSetUp: 'Ainda não configurado',
    seeActions: (count: number) => `Ver ${String(count)} ações`,
    mcpServer: 'Servidor MCP',
    actsAs: (name: string) => `como ${name}`,
    access: {
      missing: 'Falta fazer login',
      apiKey: 'Com chave de API',
      oauth: 'Com login (OAuth 2.0)',
      header: 'Com cabeçalho secreto',
      none: 'Sem login',
    },
    kinds: {
      docs: 'Ação do Notion',
      http: 'Ferramenta HTTP',
      mcp: (server: string) => `Ferramenta MCP de ${server}`,
    },
    foundTools: 'Ferramentas encontradas',
    found: (count: number, shown: number) =>
      count > shown
        ? `As primeiras ${String(shown)} de ${String(count)} ferramentas`
        : count === 1
          ? '1 ferramenta'
          : `${String(count)} ferramentas`,
    isConnected: 'Conectado',
    connect: 'Conectar',
    connectAnother: 'Conectar outro',
    reconnect: 'Reconectar',
    signIn: 'Fazer login',
    signInAt: (server: string) => `Fazer login em ${server}`,
    connectTitle: 'Conectar o Notion',
    how: 'Forma de acesso',
    oauth: 'OAuth 2.0',
    oauthHelp:
      'O Notion pergunta quais páginas e bancos de dados você quer compartilhar e envia você de volta para cá.',
    oauthGo: 'Continuar para o Notion',
    apiKey: 'Chave de API',
    apiKeyHelp: 'Informe o token de uma integração interna e compartilhe páginas com essa integração.',
    apiKeySubmit: 'Conectar',
    saved: 'Espaço de trabalho conectado',
    outcomes: {
      connected: 'Espaço de trabalho conectado',
      denied: 'O espaço de trabalho não foi conectado: o acesso foi negado lá.',
      not_allowed:
        'O espaço de trabalho não foi conectado: sua função não permite mais gerenciar ferramentas.',
      other: 'Não foi possível conectar o espaço de trabalho. Tente novamente.',
    },
    connectionsTable: 'Conexões',
    connectionsLead: 'Escolha nas configurações de cada agente quais destas ele usa.',
    httpElsewhere: (count: number) =>
      count === 1
        ? 'Sua ferramenta HTTP não precisa de conexão.'
        : `Suas ${String(count)} ferramentas HTTP não precisam de conexão.`,
    toHttp: (count: number) => (count === 1 ? 'Ver a ferramenta HTTP' : 'Ver as ferramentas HTTP'),
    columns: {
      name: 'Conexão',
      usedBy: 'Usado por',
      how: 'Acesso',
      status: 'Status',
      added: 'Desde',
    },
    unnamed: 'Espaço de trabalho sem nome',
    statuses: { pending: 'Pendente', connected: 'Conectado', needs_reconnect: 'Precisa de atenção' },
    disconnectedAgents: (count: number, names: readonly string[]) => {
      if (count === 0) return 'Nenhum agente o usa.';
      const others = count - names.length;
      const list = `${names.join(', ')}${others === 0 ? '' : ` e mais ${String(others)}`}`;
      return count === 1
        ? `1 agente não poderá mais usá-lo: ${list}.`
        : `${String(count)} agentes não poderão mais usá-lo: ${list}.`;
    },
    disconnect: (name: string) => ({
      label: 'Desconectar',
      title: `Desconectar ${name}?`,
      text: 'O Parley exclui as credenciais dele. Para voltar a usá-lo, você precisará reconectá-lo.',
      done: 'Espaço de trabalho desconectado',
    }),
    emptyTitle: 'Nenhuma conexão ainda',
    emptyText:
      'Conecte o Notion ou adicione um servidor MCP para que os agentes possam consultar e alterar informações.',
    actions: 'Ações',
    searchActions: 'Buscar ações',
    noAction: 'Nenhuma ação corresponde à sua busca.',
    inWorkspace: 'No espaço de trabalho',
    deprecated: 'Obsoleta',
    useInstead: (use: string) => `Use ${use} no lugar dela.`,
    effects: { read: 'Lê', write: 'Altera' },
    effect: 'Efeito',
    allEffects: 'Todas',
    identifier: 'Identificador',
    schema: 'Esquema de entrada',
    input: 'Argumentos',
    run: 'Executar ação',
    result: 'Resultado',
    copyResult: 'Copiar resultado',
    succeeded: 'Concluída',
    failed: 'Falhou',
    find: {
      open: 'Buscar página',
      title: (workspace: string) => `Buscar uma página em ${workspace}`,
      help: 'Encontra páginas por palavras do título. Os agentes que usam este espaço de trabalho veem as mesmas páginas.',
      label: 'Buscar uma página chamada',
      button: 'Buscar',
      found: (count: number, more: boolean) => {
        const pages = `${String(count)} ${count === 1 ? 'página' : 'páginas'}`;
        if (more) return count === 1 ? `A primeira página (1)` : `As primeiras ${pages}`;
        return `${pages} ${count === 1 ? 'encontrada' : 'encontradas'}`;
      },
      untitled: 'Página sem título',
      none: (integration: string) =>
        `Nenhuma página encontrada. ${integration} só vê as páginas compartilhadas com ela e o Notion pode levar alguns minutos para encontrar uma página nova.`,
      share: (integration: string) =>
        `Para compartilhar uma página: abra-a no Notion, clique em ••• no canto superior direito, depois em Conexões e escolha ${integration}.`,
      integration: 'A integração',
    },
  },
} satisfies Translation<typeof english>;
