import type { overviewTexts as english } from '../overview.ts';
import type { Translation } from '../translation.ts';

export const overviewTexts = {
  overview: {
    title: 'Resumen',
    lead: 'La actividad de tus agentes por día (UTC).',
    period: 'Período',
    periods: [
      { value: '7', label: '7 días' },
      { value: '14', label: '14 días' },
      { value: '30', label: '30 días' },
    ],
    received: 'Mensajes',
    compared: (today: string, yesterday: string) => `${today} hoy, ${yesterday} ayer (UTC)`,
    answeredOf: (count: string) => `${count} respondidos por agentes`,
    median: 'Tiempo mediano de respuesta',
    p95: (value: string) => `El 95 % en menos de ${value}`,
    failed: 'Respuestas fallidas',
    failedDeliveries: (count: number) =>
      count === 0
        ? 'Sin problemas de entrega'
        : `${String(count)} ${count === 1 ? 'problema' : 'problemas'} de entrega`,
    credits: 'Créditos',
    perAnswer: (value: string) => `${value} por respuesta`,
    charts: {
      volume: 'Mensajes y respuestas por día',
      time: 'Tiempo de respuesta por día',
      failures: 'Fallas por día',
      credits: 'Créditos por día',
      received: 'Mensajes',
      answered: 'Respondidos',
      failed: 'Respuestas fallidas',
      median: 'Mediana, segundos',
      p95: '95 % en menos de (segundos)',
      credit: 'Créditos',
      asTable: 'Como tabla',
      day: 'Día',
    },
    agents: 'Por agente',
    agentColumns: {
      agent: 'Agente',
      received: 'Mensajes',
      answered: 'Respondidos',
      failed: 'Con fallas',
      median: 'Mediana',
      p95: '95 % en menos de',
      credits: 'Créditos',
    },
    noAgents: 'Ningún agente respondió en este período.',
  },
  start: {
    title: 'Obtén tu primera respuesta',
    lead: 'Tres pasos, uno o dos minutos.',
    steps: ['Genera un token', 'Copia la llamada', 'Mira cómo responde'],
    token: 'Un token es la contraseña de un programa que llama a la API.',
    made: 'El comando del paso 2 contiene tu token. No volverás a verlo.',
    copy: 'Pégalo en una terminal. Envía “Hello!” a tu agente y espera la respuesta.',
    command: 'Comando',
    copyCommand: 'Copiar comando',
    withoutToken: 'Primero genera el token; así el comando queda completo.',
    watch: 'La conversación aparece aquí en cuanto llegue la llamada.',
    waiting: 'En espera de la primera llamada…',
    arrived: 'Tu agente respondió.',
    open: 'Abrir la conversación',
    tryPlayground: 'O prueba el agente en su playground',
    noAgent: 'Primero crea un agente.',
  },
} satisfies Translation<typeof english>;
