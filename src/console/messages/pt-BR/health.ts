import { amount, countText } from '../../components/format.ts';
import type { HealthArea } from '../../../contract/data/health.ts';
import type { healthTexts as english } from '../health.ts';
import type { Translation } from '../translation.ts';

const counted = (count: number, one: string, many: string) =>
  `${count >= 1000 ? 'Pelo menos ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const because = (error: string | null) =>
  error === null || error === '' ? '' : ` Último erro: ${sentence(error)}`;
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
const units = { credits: 'créditos', messages: 'mensagens' } as const;

export const healthTexts = {
  health: {
    title: 'Saúde do sistema',
    fine: 'Tudo funcionando',
    checked: (areas: readonly HealthArea[], names: Readonly<Record<HealthArea, string>>) =>
      areas.length === 0 ? '' : `Verificado: ${areas.map((one) => names[one]).join(', ')}.`,
    areas: {
      models: 'modelos',
      channels: 'WhatsApp',
      connections: 'ferramentas',
      limits: 'limites',
      webhooks: 'webhooks',
      conversations: 'mensagens em espera',
      storage: 'armazenamento',
    },
    problems: (count: number) =>
      count === 1 ? '1 item precisa de atenção' : `${String(count)} itens precisam de atenção`,
    attention: 'Precisa de atenção',
    severities: { problem: 'Problema', warning: 'Aviso' },
    failedAnswers: {
      title: (count: number) =>
        count === 1 ? '1 resposta falhou hoje' : `${countText(count)} respostas falharam hoje`,
      text: 'Um cliente pode estar sem resposta. “Por que falhou?” na conversa diz o motivo.',
      action: 'Ver as conversas',
    },
    model: {
      title: (provider: string) => `O provedor de IA ${provider} não responde`,
      text: (error: string, said: string | null) =>
        said === null ? error : `${error} O provedor diz: ${sentence(said)}`,
      unused: (text: string) => `${sentence(text)} Nenhum agente ativo o usa.`,
      action: 'Verificar a chave',
    },
    channel: {
      title: (agent: string) => `O WhatsApp de ${agent} está com um problema`,
      unfinished: (agent: string) => `O WhatsApp de ${agent} ainda não está configurado`,
      unfinishedText: 'As mensagens só chegam depois da última etapa: configurar o webhook.',
      lastMessage: 'Última mensagem do WhatsApp:',
      action: 'Abrir o canal',
      finish: 'Concluir a configuração',
    },
    connection: {
      title: (name: string | null) =>
        name === null
          ? 'A conexão do espaço de trabalho recusa o acesso'
          : `O espaço de trabalho ${name} recusa o acesso`,
      text: (error: string | null) =>
        `Os agentes não podem usar as ferramentas dele. Reconecte-o.${because(error)}`,
      action: 'Reconectar',
    },
    mcpSignIn: {
      title: (server: string) => `Faça login no servidor MCP ${server}`,
      text: (tools: number) =>
        tools === 0
          ? 'Ninguém fez login nele ainda. Depois disso, os agentes poderão usar as ferramentas dele.'
          : `Ele não aceita mais o acesso. Até você fazer login, os agentes não podem usar ${tools === 1 ? 'a ferramenta dele' : `as ${String(tools)} ferramentas dele`}.`,
      action: 'Fazer login',
    },
    limit: {
      reached: (of: keyof typeof units) => `O limite mensal de ${units[of]} foi atingido`,
      near: (of: keyof typeof units) => `O limite mensal de ${units[of]} está perto de ser atingido`,
      used: (used: number, limit: number, of: keyof typeof units) =>
        `${amount(used)} de ${amount(limit)} ${units[of]} neste mês.`,
      refused: 'Todas as novas mensagens pela API são recusadas com o status 402.',
      action: 'Aumentar o limite',
    },
    cap: {
      reached: {
        day: 'O teto de créditos por dia se esgotou',
        month: 'O teto de créditos por mês se esgotou',
      },
      near: {
        day: 'O teto de créditos por dia está quase esgotado',
        month: 'O teto de créditos por mês está quase esgotado',
      },
      used: {
        day: (used: number, cap: number) => `${amount(used)} de ${amount(cap)} créditos usados hoje.`,
        month: (used: number, cap: number) => `${amount(used)} de ${amount(cap)} créditos usados neste mês.`,
      },
      nearText: 'Uma chamada de modelo que possa custar mais do que resta não é feita, nem no WhatsApp.',
      stops: {
        day: 'Nenhum agente responde até a meia-noite (UTC), nem no WhatsApp.',
        month: 'Nenhum agente responde até o dia 1º (UTC), nem no WhatsApp.',
      },
      action: 'Ver os tetos',
    },
    failing: {
      title: (host: string) => `O webhook em ${host} está falhando`,
      text: (failed: number, attempts: number, error: string | null) =>
        `${countText(failed)} de ${counted(attempts, 'callback', 'callbacks').toLowerCase()} ${failed === 1 ? 'falhou' : 'falharam'} nas últimas 24 horas.${because(error)}`,
      action: 'Ver as entregas',
    },
    blocked: {
      title: (host: string) => `O Parley não tem permissão para chamar ${host}`,
      text: (blocked: number) =>
        `${counted(blocked, 'callback não foi enviado', 'callbacks não foram enviados')} nas últimas 24 horas.`,
      action: 'Ver as entregas',
    },
    waiting: {
      title: (count: number) =>
        counted(count, 'conversa aguarda atendimento humano', 'conversas aguardam atendimento humano'),
      text: 'Nenhum agente vai respondê-las. A mensagem mais antiga chegou',
      action: 'Responder',
    },
    backlog: {
      title: (count: number) => counted(count, 'mensagem aguarda resposta', 'mensagens aguardam resposta'),
      text: 'Os agentes respondem mais devagar do que as mensagens chegam, ou nenhum worker está em execução. A mensagem mais antiga chegou',
      action: 'Ver as conversas',
    },
    storage: {
      full: 'O armazenamento de arquivos está cheio',
      near: 'O armazenamento de arquivos está quase cheio',
      text: (used: number, limit: number) =>
        `${amount(Math.round(used / 1_048_576))} de ${amount(Math.round(limit / 1_048_576))} MB em uso. Quando estiver cheio, as mensagens com arquivos serão recusadas.`,
      action: 'Ver o armazenamento',
    },
  },
  refusals: {
    private: (place: string) =>
      `${place} é um endereço privado. O Parley só chama endereços privados se forem permitidos.`,
    toAllow: 'Para permitir este, por exemplo em testes locais, inicie o Parley com',
    allow: (place: string) => `CALLBACK_ALLOW=${place}`,
    copyAllow: 'Copiar configuração',
    malformed_url:
      'O endereço não é uma URL válida ou pode ser interpretado de formas diferentes por outros programas. Confira como está escrito.',
    scheme_not_allowed: 'O endereço precisa começar com http:// ou https://.',
    credentials_in_url: 'O endereço contém um nome de usuário ou uma senha. Remova-os.',
    odd_host:
      'O host está escrito de forma incomum. Escreva-o com letras comuns ou como quatro números decimais.',
    unresolved: 'O nome do host não existe. Confira a grafia.',
    brief: {
      internal_name: 'Endereço privado',
      private_address: 'Endereço privado',
      'the name does not resolve': 'Host desconhecido',
      malformed_url: 'Não é uma URL',
      scheme_not_allowed: 'Nem http nem https',
      credentials_in_url: 'Senha na URL',
      odd_host: 'Host incomum',
    },
  },
} satisfies Translation<typeof english>;
