import type { approvalTexts as english } from '../approvals.ts';
import type { Translation } from '../translation.ts';

export const approvalTexts = {
  approvals: {
    title: 'Aprobaciones',
    lead: 'Llamadas a herramientas que una persona debe aprobar. Lo que ves es lo que se ejecuta, una sola vez.',
    waiting: 'En espera de una decisión',
    waitingCount: (count: number) =>
      count === 1
        ? '1 llamada a una herramienta espera aprobación'
        : `${String(count)} llamadas a herramientas esperan aprobación`,
    waitingText: (count: number) =>
      `${count === 1 ? 'La conversación continuará' : 'Las conversaciones continuarán'} en cuanto alguien decida.`,
    toApprovals: 'Decidir',
    nothing: 'No hay nada en espera',
    nothingText:
      'Las llamadas aparecen aquí si la regla de la herramienta exige que una persona las apruebe.',
    more: 'Solo se muestran las 100 más recientes.',
    wantsToCall: (agent: string) => `El agente ${agent} quiere llamar a`,
    requested: 'Aprobación solicitada',
    question: (tool: string) => `¿Aprobar ${tool}?`,
    refusedIn: 'Se rechazará',
    approvedIn: 'Se aprobará',
    unlessDecided: 'si nadie decide antes',
    asked: (people: string) => `Consultados en WhatsApp: ${people}.`,
    askedStatuses: {
      pending: 'aún no enviado',
      sent: 'enviado',
      unknown: 'puede haber llegado',
      failed: 'no enviado',
    },
    conversation: 'Abrir la conversación',
    arguments: (tool: string, number: number) => `Argumentos de ${tool}, llamada ${String(number)}`,
    note: 'Nota',
    noteHelp: 'Si rechazas, el agente lee la nota.',
    approve: 'Aprobar',
    refuse: 'Rechazar',
    done: { approve: 'Aprobada', refuse: 'Rechazada' },
    mayNotDecide: 'Tu rol no permite decidir. Se necesita el permiso “Aprobar llamadas a herramientas”.',
    writes: 'Último mensaje del contacto',
    history: 'Decididas',
    table: 'Aprobaciones decididas',
    columns: {
      tool: 'Herramienta',
      status: 'Estado',
      arguments: 'Argumentos',
      agent: 'Agente',
      contact: 'Contacto',
      by: 'Decidida por',
      when: 'Decidida',
    },
    statusFilter: 'Estado',
    allStatuses: 'Todos los estados',
    statuses: {
      waiting: 'En espera',
      approved: 'Aprobada',
      executed: 'Ejecutada',
      refused: 'Rechazada',
      expired: 'Vencida',
      unknown: 'Resultado desconocido',
    },
    system: 'Parley',
    none: 'No hay decisiones',
    noneText:
      'Las llamadas aparecen aquí cuando alguien decide. Si has puesto un filtro, quítalo para ver más.',
    inTimeline: {
      approved: (name: string) => `Aprobada por ${name}`,
      refused: (name: string) => `Rechazada por ${name}`,
      expired: 'Nadie decidió a tiempo',
    },
  },
} satisfies Translation<typeof english>;
