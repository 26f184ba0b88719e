import type { TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { countText } from '../../components/format.ts';
import type { rehearsalTexts as english } from '../rehearsals.ts';
import type { Translation } from '../translation.ts';

const turns = (count: number): string => `${countText(count)} ${count === 1 ? 'turno' : 'turnos'}`;

const notPassing = (failing: number, count: number): string =>
  `${countText(failing)} de ${turns(count)} no ${failing === 1 ? 'pasa' : 'pasan'}`;

/** Singular and plural. */
const outcomeWords: Record<TurnOutcome, readonly [one: string, more: string]> = {
  same: ['sin cambios', 'sin cambios'],
  other_text: ['reescrita', 'reescritas'],
  other_tool: ['con otra herramienta', 'con otra herramienta'],
  other_arguments: ['con otros argumentos', 'con otros argumentos'],
  other_transfer: ['con otra transferencia', 'con otra transferencia'],
  refused: ['rechazado', 'rechazados'],
  failed: ['con error', 'con error'],
};

export const rehearsalTexts = {
  rehearsals: {
    title: 'Ensayos',
    lead: 'Repite turnos registrados con un borrador, otra versión u otro modelo. No se envía nada.',
    list: 'Ensayos',
    listLead: 'Se conservan los 50 más recientes, durante 90 días.',
    table: 'Ensayos de este agente',
    columns: {
      what: 'Versión',
      result: 'Resultado',
      answers: 'Respuestas',
      change: 'Costo y tiempo',
      started: 'Inicio',
    },
    changes: {
      cost: {
        same: 'Mismo costo',
        less: (by: string) => `${by} más barato`,
        more: (by: string) => `${by} más caro`,
      },
      time: {
        same: 'Mismo tiempo',
        less: (by: string) => `${by} más rápido`,
        more: (by: string) => `${by} más lento`,
      },
    },
    outcomeCount: (count: number, outcome: TurnOutcome) =>
      `${countText(count)} ${outcomeWords[outcome][count === 1 ? 0 : 1]}`,
    emptyTitle: 'Aún no hay ensayos',
    emptyText:
      'Modifica el agente en un borrador e inicia un ensayo para ver en qué difieren sus respuestas.',
    draft: 'Borrador',
    version: (number: number) => `Versión ${String(number)}`,
    withModel: (what: string, model: string) => `${what}, ${model}`,
    statuses: {
      running: 'En curso',
      completed: 'Completado',
      cancelled: 'Cancelado',
      failed: 'Falló',
    },
    allPass: (count: number) => (count === 1 ? '1 turno: pasa' : `${turns(count)}: todos pasan`),
    somePass: notPassing,
    allTurns: turns,
    notAsked: (count: number) => `${turns(count)} aún sin respuesta`,
    asked: (done: number, count: number) => `${countText(done)} de ${turns(count)} con respuesta`,
    start: {
      label: 'Iniciar un ensayo',
      submit: 'Iniciar ensayo',
      cost: 'Sus llamadas al modelo cuestan créditos. No se llama a las herramientas: cada llamada recibe su resultado registrado.',
      sameVersion:
        'En las respuestas registradas que dio la propia versión publicada, esto solo muestra cuánto varían. Para comparar, elige un borrador, otra versión u otro modelo.',
      version: 'Ensayar',
      published: (number: number) => `La versión publicada (${String(number)})`,
      draft: 'El borrador',
      model: 'Otro modelo',
      modelHelp: 'proveedor/nombre. Déjalo vacío para usar el modelo de la versión.',
      source: 'Turnos',
      sources: { recent: 'Los más recientes', test_set: 'El conjunto de pruebas' },
      maxTurns: 'Como máximo',
      maxTurnsHelp:
        'De 1 a 1000 turnos. Déjalo vacío para usar los 100 más recientes o todo el conjunto de pruebas.',
      readOnly: 'Ejecutar herramientas que solo leen',
      readOnlyHelp:
        'Desactivado: un turno se detiene en una llamada a una herramienta sin resultado registrado.',
      accepts: 'Un turno pasa si su resultado es',
      rules: 'Reglas para cada respuesta',
      rule: (number: number) => `Regla ${String(number)}`,
      kinds: {
        contains: 'Contiene',
        does_not_contain: 'No contiene',
        max_chars: 'Tiene como máximo este largo',
        json_schema: 'Es un JSON que cumple un esquema',
      },
      text: (number: number) => `Regla ${String(number)}: texto`,
      max: (number: number) => `Regla ${String(number)}: caracteres`,
      schema: (number: number) => `Regla ${String(number)}: JSON Schema`,
      notJson: 'debe ser un objeto JSON',
      addRule: 'Agregar regla',
      removeRule: (number: number) => `Quitar regla ${String(number)}`,
      judge: 'Evaluador',
      judgeHelp: 'Un modelo que compara respuestas cuyo texto difiere. Un turno que empeora no pasa.',
      judgeModel: 'Modelo del evaluador',
      criterion: 'Criterio del evaluador',
      criterionHelp: 'Por ejemplo: ¿es igual de útil e igual de corta?',
    },
    back: 'Todos los ensayos',
    reportTitle: (what: string) => `Ensayo: ${what}`,
    progress: 'Progreso del ensayo',
    passed: 'Aprobado: todos los turnos pasaron sus verificaciones.',
    notPassed: (failing: number, count: number) => `No aprobado: ${notPassing(failing, count)}.`,
    incomplete: (left: number) =>
      `No aprobado: ${turns(left)} aún ${left === 1 ? 'no tiene' : 'no tienen'} respuesta.`,
    showFailing: (count: number) =>
      count === 1 ? 'Ver el turno que no pasa' : 'Ver los turnos que no pasan',
    next: {
      publish: 'Siguiente paso: publícalo en la configuración.',
      differs: 'El borrador actual difiere de lo que se ensayó.',
      versions: 'Abrir las versiones',
    },
    ofContent: {
      passed: 'Ensayo aprobado',
      failing: (failing: number, count: number) => `Ensayo: ${notPassing(failing, count)}`,
      running: 'Ensayo en curso',
      unfinished: 'Ensayo sin terminar',
      none: 'Sin ensayar tal como está ahora',
    },
    noTurns: 'Todos sus turnos se borraron con sus conversaciones.',
    cancel: {
      label: 'Cancelar ensayo',
      title: '¿Cancelar este ensayo?',
      text: 'Los turnos que ya tienen un resultado lo conservan. Puedes reanudarlo después.',
      done: 'Ensayo cancelado',
    },
    again: 'Ensayar de nuevo',
    resume: 'Reanudar',
    resumed: 'Ensayo reanudado',
    facts: {
      about: 'Sobre este ensayo',
      asked: {
        recent: (count: number) =>
          count === 1 ? 'El turno más reciente.' : `Los ${countText(count)} turnos más recientes.`,
        test_set: (count: number) => `${turns(count)} del conjunto de pruebas.`,
      },
      toolsRun: 'Las herramientas que solo leen se ejecutaron en las llamadas sin resultado registrado.',
      toolsNotRun: 'No se ejecutó ninguna herramienta: cada llamada recibió su resultado registrado.',
      checks: 'Verificaciones de cada turno',
      sameDeeds:
        'Las mismas herramientas con los mismos argumentos y la misma transferencia. Nada se rechaza ni falla. El texto puede ser otro.',
      sameAnswer: 'Exactamente la respuesta, las llamadas a herramientas y la transferencia registradas.',
      passing: (outcomes: readonly string[]) => `Resultados que pasan: ${outcomes.join(', ')}.`,
      judged: (model: string, criterion: string) =>
        `El evaluador (${model}) no considera peor una respuesta reescrita: ${criterion}`,
      author: 'Iniciado por',
      started: 'Inicio',
      took: (time: string) => `duró ${time}`,
    },
    ruleTexts: {
      contains: (text: string) => `debe contener “${text}”`,
      does_not_contain: (text: string) => `no debe contener “${text}”`,
      max_chars: (max: number) => `debe tener como máximo ${countText(max)} caracteres`,
      json_schema: 'debe ser un JSON que cumpla el esquema',
    },
    mustBe: (rule: string) => `La respuesta ${rule}`,
    notAccepted: (outcome: string) => `${outcome}: no se acepta`,
    compared: 'Costo y tiempo',
    comparedTable: 'Costo y tiempo, registrados y ahora',
    comparedColumns: {
      what: 'Suma de todos los turnos',
      recorded: 'Registrado',
      now: 'Ahora',
      change: 'Cambio',
    },
    credits: 'Créditos',
    modelTime: 'Tiempo de las llamadas al modelo',
    partly: 'Hasta que todos los turnos tengan respuesta, las sumas registradas abarcan más turnos.',
    outcomes: {
      same: 'Sin cambios',
      other_text: 'Reescrita',
      other_tool: 'Otra herramienta',
      other_arguments: 'Otros argumentos',
      other_transfer: 'Otra transferencia',
      refused: 'Rechazado',
      failed: 'Falló',
    },
    turns: 'Turnos',
    filter: 'Turnos por resultado',
    all: 'Todos',
    count: (label: string, count: number) => `${label} ${countText(count)}`,
    sameTurns: (count: number) => `${turns(count)} sin cambios`,
    divergedCount: (count: number) =>
      `${turns(count)} se ${count === 1 ? 'detuvo' : 'detuvieron'} en una llamada a una herramienta sin resultado registrado: no se sabe qué habría respondido el agente.`,
    noTurnsShown: 'Ningún turno tiene este resultado',
    waiting: 'Aún sin respuesta',
    passes: 'Pasa',
    fails: 'No pasa',
    turn: (number: number) => `Turno ${String(number)}`,
    user: 'Usuario',
    recorded: 'Registrado',
    now: 'Ahora',
    noText: 'Sin texto',
    diverged: 'Se detuvo aquí: esta llamada no tiene resultado registrado.',
    onlyRecorded: 'Solo en lo registrado',
    onlyNow: 'Solo ahora',
    transfer: (agent: string) => `Transfiere a ${agent}`,
    brokenRule: (number: number, rule: string) => `Incumple la regla ${String(number)}: ${rule}`,
    verdicts: {
      better: 'Evaluador: mejor',
      as_good: 'Evaluador: igual de bueno',
      worse: 'Evaluador: peor',
      unclear: 'Evaluador: sin veredicto',
    },
    openConversation: 'Abrir conversación',
    testSet: 'Conjunto de pruebas',
    testSetLead:
      'Un conjunto fijo de turnos para comprobar los cambios de este agente. Agrega turnos desde sus conversaciones.',
    testTable: 'Conjunto de pruebas de este agente',
    testColumns: { input: 'Usuario', author: 'Agregado por', added: 'Agregado' },
    testEmptyTitle: 'El conjunto de pruebas está vacío',
    testEmptyText: 'En el menú de los detalles de una conversación, elige “Agregar al conjunto de pruebas”.',
    toConversations: 'Elegir entre sus conversaciones',
    noInput: 'Un archivo sin texto',
    remove: (input: string) => ({
      label: 'Quitar',
      title: '¿Quitar este turno del conjunto de pruebas?',
      text: input,
      done: 'Se quitó del conjunto de pruebas',
    }),
    add: 'Agregar al conjunto de pruebas',
    added: (count: number, agent: string) =>
      count === 0
        ? `${agent} ya tiene estos turnos`
        : `${turns(count)} ${count === 1 ? 'agregado' : 'agregados'} al conjunto de pruebas de ${agent}`,
  },
} satisfies Translation<typeof english>;
