import type { mcpServerTexts as english } from '../mcp-servers.ts';
import type { Translation } from '../translation.ts';

export const mcpServerTexts = {
  mcpServers: {
    title: 'Servidores MCP',
    lead: 'Servidores do Model Context Protocol. Escolha quais ferramentas deles seus agentes podem chamar.',
    emptyTitle: 'Nenhum servidor MCP ainda',
    emptyText: 'Adicione um e escolha as ferramentas que os agentes podem chamar.',
    add: 'Adicionar servidor MCP',
    addLead: 'Os agentes não podem chamar nenhuma ferramenta dele até que você as escolha.',
    save: 'Salvar servidor',
    saved: 'Servidor MCP salvo',
    name: 'Nome',
    nameHelp:
      'Letras minúsculas e dígitos. Os nomes das ferramentas começam com ele. Não pode ser alterado depois.',
    url: 'Endereço',
    urlHelp: 'Por exemplo, https://mcp.example.com/mcp. Precisa ser público e não pode ser alterado depois.',
    header: 'Cabeçalho',
    headerHelp:
      'Por exemplo, Authorization. Deixe em branco se o servidor não precisar de nenhum ou se você for fazer login nele depois.',
    headerValue: 'Valor do cabeçalho',
    valueKept: 'Salvo. Deixe em branco para manter.',
    valueMissing: 'Informe o valor do cabeçalho.',
    headerMissing: 'Informe o nome do cabeçalho.',
    noHeader:
      'O Parley o chama sem cabeçalho. Se ele precisar de um, remova o servidor e adicione-o de novo.',
    byOAuth:
      'O Parley faz login neste servidor com OAuth. Para usar um cabeçalho, remova o servidor e adicione-o de novo.',
    needsSignIn: 'Os agentes não podem usar este servidor até que você faça login nele.',
    needsSignInAgain:
      'O servidor não aceita mais o acesso que você deu ao Parley. Os agentes não podem usá-lo até que você faça login novamente.',
    signedIn: (issuer: string) => `Login feito em ${issuer}`,
    signIn: 'Fazer login no servidor',
    signInTitle: (name: string) => `Fazer login em ${name}`,
    signInLead: 'O Parley pergunta ao servidor onde o login é feito e se registra lá.',
    byHand: 'Usar um cliente que eu já registrei',
    redirectUri: 'URI de redirecionamento do cliente',
    copyRedirectUri: 'Copiar URI de redirecionamento',
    clientId: 'ID do cliente',
    clientSecret: 'Segredo do cliente',
    clientSecretHelp: 'Deixe em branco se o cliente não tiver um.',
    clientSecretKept: 'Deixe em branco para manter o segredo deste cliente, se ele tiver um.',
    issuer: 'Servidor de autorização',
    issuerHelp:
      'Onde você registrou o cliente, por exemplo https://auth.example.com. O segredo não é enviado a nenhum outro lugar.',
    signInNext: 'Buscar a página de login',
    signInGo: (host: string) => `Continuar para ${host}`,
    signInCheck: (host: string, server: string) =>
      `O login é feito em ${host}. Continue só se conhecer este endereço. O Parley usa o acesso apenas para ${server}.`,
    signInOutcomes: {
      signed_in: 'Login feito no servidor MCP',
      denied: 'Login não concluído: o servidor negou o acesso.',
      expired: 'Login não concluído: a tentativa expirou ou começou em outra sessão. Comece de novo.',
      not_allowed: 'Login não concluído: sua função não permite mais gerenciar ferramentas.',
      busy: 'Login não concluído: há tentativas demais em andamento. Comece de novo.',
      other: 'Login não concluído: o servidor de autorização não deu uma resposta válida. Comece de novo.',
    },
    timeout: 'Tempo limite em segundos',
    timeoutHelp: 'De 1 a 60, por chamada',
    maxChars: 'Máximo de caracteres de um resultado',
    maxCharsHelp: 'O modelo lê só até este tamanho do resultado; o resto é cortado.',
    edit: (name: string) => `Editar ${name}`,
    editButton: 'Editar',
    needsHeader:
      'O cabeçalho salvo não pode mais ser descriptografado. Edite o servidor e informe o cabeçalho novamente.',
    remove: (name: string) => ({
      label: 'Remover',
      title: `Remover ${name}?`,
      action: 'Remover servidor',
      text: 'O Parley exclui as credenciais e as ferramentas dele. Antes, remova essas ferramentas dos seus agentes.',
      done: 'Servidor MCP removido',
    }),
    tools: (name: string) => `Ferramentas de ${name}`,
    noTools: 'Os agentes ainda não podem chamar nenhuma ferramenta dele.',
    columns: { name: 'Ferramenta', effect: 'Efeito', use: 'Uso' },
    changed: 'Alterada',
    changedHelp:
      'O servidor agora a descreve de outra forma. Os agentes não podem chamá-la até que você aceite a mudança.',
    review: 'Revisar mudança',
    gone: 'Não existe mais',
    goneHelp: 'O servidor não a tem mais.',
    choose: 'Escolher ferramentas',
    chooseTitle: (name: string) => `Escolher ferramentas de ${name}`,
    chooseLead:
      'Estas são as ferramentas que o servidor tem agora. Os agentes recebem exatamente as descrições que você vê aqui, até que você aceite outras.',
    chooseNone: 'O servidor não tem ferramentas.',
    saveTools: (count: number) =>
      count === 0
        ? 'Salvar sem ferramentas'
        : `Salvar ${String(count)} ${count === 1 ? 'ferramenta' : 'ferramentas'}`,
    toolsSaved: 'Ferramentas salvas',
    cannot: (problem: string) => `Não pode ser usada. ${problem}`,
    effectOf: (tool: string) => `Efeito de ${tool}`,
    saysReads: 'O servidor diz que ela só lê.',
    saysDestroys: 'O servidor diz que ela pode excluir dados.',
    accept: (tool: string) => `Aceitar a mudança de ${tool}`,
    changeOf: (tool: string) => `Mudança de ${tool}`,
    schema: 'Argumentos',
    search: 'Buscar uma ferramenta',
    noneFound: 'Nenhuma ferramenta tem isto no nome ou na descrição.',
    readAgain: 'Ler novamente',
    reading: 'Lendo…',
  },
} satisfies Translation<typeof english>;
