import type { overviewTexts as english } from '../overview.ts';
import type { Translation } from '../translation.ts';

export const overviewTexts = {
  overview: {
    title: 'Visão geral',
    lead: 'A atividade dos seus agentes por dia (UTC).',
    period: 'Período',
    periods: [
      { value: '7', label: '7 dias' },
      { value: '14', label: '14 dias' },
      { value: '30', label: '30 dias' },
    ],
    received: 'Mensagens',
    compared: (today: string, yesterday: string) => `${today} hoje, ${yesterday} ontem (UTC)`,
    answeredOf: (count: string) => `${count} respondidas por agentes`,
    median: 'Tempo mediano de resposta',
    p95: (value: string) => `95% em até ${value}`,
    failed: 'Respostas com falha',
    failedDeliveries: (count: number) =>
      count === 0
        ? 'Nenhum problema de entrega'
        : `${String(count)} ${count === 1 ? 'problema' : 'problemas'} de entrega`,
    credits: 'Créditos',
    perAnswer: (value: string) => `${value} por resposta`,
    charts: {
      volume: 'Mensagens e respostas por dia',
      time: 'Tempo de resposta por dia',
      failures: 'Falhas por dia',
      credits: 'Créditos por dia',
      received: 'Mensagens',
      answered: 'Respondidas',
      failed: 'Respostas com falha',
      median: 'Mediana, segundos',
      p95: '95% em até (segundos)',
      credit: 'Créditos',
      asTable: 'Como tabela',
      day: 'Dia',
    },
    agents: 'Por agente',
    agentColumns: {
      agent: 'Agente',
      received: 'Mensagens',
      answered: 'Respondidas',
      failed: 'Com falha',
      median: 'Mediana',
      p95: '95% em até',
      credits: 'Créditos',
    },
    noAgents: 'Nenhum agente respondeu neste período.',
  },
  start: {
    title: 'Receba a sua primeira resposta',
    lead: 'Três passos, um ou dois minutos.',
    steps: ['Gere um token', 'Copie a chamada', 'Veja a resposta'],
    token: 'Um token é a senha de um programa que chama a API.',
    made: 'O comando do passo 2 contém o seu token. Você não o verá de novo.',
    copy: 'Cole-o em um terminal. Ele envia “Hello!” ao seu agente e espera pela resposta.',
    command: 'Comando',
    copyCommand: 'Copiar comando',
    withoutToken: 'Gere o token primeiro; aí o comando fica completo.',
    watch: 'A conversa aparece aqui assim que a chamada chegar.',
    waiting: 'Esperando a primeira chamada…',
    arrived: 'O seu agente respondeu.',
    open: 'Abrir a conversa',
    tryPlayground: 'Ou teste o agente no playground dele',
    noAgent: 'Crie um agente primeiro.',
  },
} satisfies Translation<typeof english>;
