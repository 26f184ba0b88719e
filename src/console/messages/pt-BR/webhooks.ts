import type { Translation } from '../translation.ts';
import type { webhookTexts as english } from '../webhooks.ts';

export const webhookTexts = {
  title: 'Webhooks',
  lead: 'Cada mensagem indica para onde vai a resposta. Adicione essa URL aqui para assinar o que ela recebe e para enviar a ela alertas de conversas em espera.',
  endpoints: 'Endpoints',
  endpointsLead:
    'Seus endpoints e todas as outras URLs que recebem callbacks. Resultados dos últimos 7 dias.',
  endpointsCount: 'Dias em UTC. De cada dia, contam as 500 entregas mais recentes.',
  table: 'Endpoints desta organização',
  columns: {
    url: 'Endpoint',
    signed: 'Assinatura',
    events: 'Recebe',
    delivered: 'Entregues',
    response: 'Tempo',
    last: 'Última tentativa',
  },
  events: {
    callbacks: 'Callbacks',
    callbacksHelp: 'Respostas, erros, aprovações',
    waiting: 'Conversas aguardando',
  },
  waitingAlertsHelp:
    'O Parley também avisa aqui quando uma conversa começa a aguardar atendimento humano, para agentes sem URL de alertas própria.',
  emptyTitle: 'Nenhum endpoint ainda',
  emptyText:
    'Uma URL aparece aqui assim que recebe um callback. Adicione um endpoint para assinar os callbacks dele.',
  ofCallbacks: (count: string) => `de ${count}`,
  delivered: (count: string, all: string) => `${count} de ${all} entregues`,
  byDay: 'Entregas por dia',
  failedDeliveriesTo: (failures: string, host: string) => `${failures}: entregas para ${host}`,
  noCallbacks: 'Nenhum callback',
  allowWith: 'Para permitir, inicie o Parley com',
  sign: 'Assinar',
  signUrl: (url: string) => `Assinar ${url}`,
  yes: 'Assinado',
  no: 'Não assinado',
  details: {
    label: 'Segredo e alertas',
    title: 'Segredo e alertas',
    secretHelp: 'Exibido uma única vez, quando foi criado. Se for perdido, rotacione-o.',
  },
  since: 'Criado',
  rotated: 'Rotacionado',
  previousUntil: 'O segredo anterior assina até',
  lost: 'Segredo perdido',
  lostHelp: 'Os callbacks para este endpoint falham até você rotacionar o segredo.',
  add: {
    label: 'Adicionar endpoint',
    submit: 'Criar segredo',
    url: 'URL do endpoint',
    help: 'Por exemplo, https://shop.example/hooks, sem query. As URLs abaixo deste caminho também são assinadas.',
  },
  rotate: {
    label: 'Rotacionar segredo',
    title: (url: string) => `Rotacionar o segredo de ${url}?`,
    lead: 'Você recebe um novo segredo. Até o anterior expirar, os callbacks levam as duas assinaturas, para que seu receptor possa fazer a troca nesse intervalo.',
    overlap: 'Segredo anterior',
    overlapHelp: 'Tempo para entregar o novo segredo ao receptor.',
    overlaps: {
      '0': 'Expira agora',
      '3600': 'Assina por 1 hora',
      '86400': 'Assina por 24 horas',
      '604800': 'Assina por 7 dias',
    },
  },
  remove: (url: string) => ({
    label: 'Remover',
    title: `Parar de assinar os callbacks para ${url}?`,
    text: 'O segredo é excluído imediatamente. Os callbacks continuam sendo enviados, sem assinatura. O endpoint deixa de receber alertas.',
    action: 'Remover endpoint',
    done: 'Endpoint removido',
  }),
  made: {
    title: 'Copie o segredo agora',
    lead: 'Entregue este segredo ao seu receptor. Você não o verá de novo.',
    label: 'Segredo de assinatura',
    copyLabel: 'Copiar segredo',
  },
  secretUsage:
    'Verifique cada requisição com a função verifyCallback da biblioteca cliente ou com o pacote standardwebhooks.',
  test: {
    title: 'Enviar um callback de teste',
    ofEndpoint: 'Enviar teste',
    lead: 'Envia um callback de exemplo, como uma resposta enviaria. Ele é marcado como teste e não aparece em Entregas.',
    url: 'URL do receptor',
    example: 'https://shop.example/hooks',
    submit: 'Enviar callback de teste',
    result: 'Resultado do callback de teste',
    outcomes: { delivered: 'Entregue', failed: 'Falhou', blocked: 'Bloqueado' },
    signed: 'Assinado',
    unsigned: 'Não assinado',
    helps: {
      'no answer in time':
        'O receptor não respondeu dentro do tempo limite. Responda primeiro com 200 e só depois faça o processamento.',
      'the connection was refused':
        'Não há nada escutando nesse endereço. Confira se o receptor está rodando e se a porta está certa.',
      'the connection was lost': 'O receptor fechou a conexão antes de responder. Consulte o log dele.',
      'the receiver could not be reached': 'Confira o host, a porta e o firewall.',
      'no trusted TLS connection could be made':
        'O certificado não é válido para este host. Confira o nome, a data e a cadeia dele.',
      'the answer was not HTTP':
        'Outro protocolo responde nesta porta. Confira http:// ou https:// e a porta.',
      'the name could not be looked up':
        'Os servidores DNS dele não respondem. Tente novamente em instantes.',
    },
    status: 'O receptor precisa responder com um status 2xx. Redirecionamentos não são seguidos.',
    request: 'Corpo da requisição',
    headers: 'Cabeçalhos da resposta',
    answer: 'Início da resposta',
    noBody: 'A resposta não tinha corpo.',
  },
  local: {
    title: 'Receptores nesta máquina',
    lead: 'O Parley está em modo local, por isso os callbacks para eles são permitidos.',
    remove: (host: string) => ({
      label: 'Bloquear',
      title: `Bloquear callbacks para ${host}?`,
      text: 'Você pode permiti-los novamente a partir de uma entrega bloqueada.',
      action: 'Bloquear receptor',
      done: 'Receptor bloqueado',
    }),
    offer: (host: string) =>
      `${host} está nesta máquina. O Parley está em modo local, então você pode permiti-lo aqui.`,
    allow: (host: string) => `Permitir callbacks para ${host}`,
    allowed: (host: string) => `Os callbacks para ${host} estão permitidos. Reenvie o callback.`,
  },
  resend: {
    label: 'Reenviar…',
    action: 'Reenviar',
    title: 'Reenviar este callback?',
    text: 'Uma nova entrega, com ID próprio, envia o mesmo corpo mais uma vez, no máximo uma. Esta entrega fica como está. Se ela tiver chegado, seu receptor receberá a mensagem duas vezes, com o mesmo message_id.',
    done: 'O callback está sendo reenviado',
    of: 'Reenviada manualmente.',
    first: 'Abrir a primeira entrega',
    signed: 'Assinado',
  },
} satisfies Translation<typeof english>;
