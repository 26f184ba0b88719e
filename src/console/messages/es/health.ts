import { amount, countText } from '../../components/format.ts';
import type { HealthArea } from '../../../contract/data/health.ts';
import type { healthTexts as english } from '../health.ts';
import type { Translation } from '../translation.ts';

const counted = (count: number, one: string, many: string) =>
  `${count >= 1000 ? 'Al menos ' : ''}${countText(count)} ${count === 1 ? one : many}`;
const because = (error: string | null) =>
  error === null || error === '' ? '' : ` Último error: ${sentence(error)}`;
const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
const units = { credits: 'créditos', messages: 'mensajes' } as const;

export const healthTexts = {
  health: {
    title: 'Estado del sistema',
    fine: 'Todo funciona bien',
    checked: (areas: readonly HealthArea[], names: Readonly<Record<HealthArea, string>>) =>
      areas.length === 0 ? '' : `Verificado: ${areas.map((one) => names[one]).join(', ')}.`,
    areas: {
      models: 'modelos',
      channels: 'WhatsApp',
      connections: 'herramientas',
      limits: 'límites',
      webhooks: 'webhooks',
      conversations: 'mensajes en espera',
      storage: 'almacenamiento',
    },
    problems: (count: number) =>
      count === 1 ? '1 asunto necesita atención' : `${String(count)} asuntos necesitan atención`,
    attention: 'Necesita atención',
    severities: { problem: 'Problema', warning: 'Advertencia' },
    failedAnswers: {
      title: (count: number) =>
        count === 1 ? '1 respuesta falló hoy' : `${countText(count)} respuestas fallaron hoy`,
      text: 'Un cliente puede estar sin respuesta. “¿Por qué falló?” en la conversación dice el motivo.',
      action: 'Ver las conversaciones',
    },
    model: {
      title: (provider: string) => `El proveedor de IA ${provider} no responde`,
      text: (error: string, said: string | null) =>
        said === null ? error : `${error} El proveedor dice: ${sentence(said)}`,
      unused: (text: string) => `${sentence(text)} Ningún agente activo lo usa.`,
      action: 'Revisar la clave',
    },
    channel: {
      title: (agent: string) => `El WhatsApp de ${agent} tiene un problema`,
      unfinished: (agent: string) => `El WhatsApp de ${agent} aún no está configurado`,
      unfinishedText: 'Los mensajes llegan solo después del último paso: configurar el webhook.',
      lastMessage: 'Último mensaje de WhatsApp:',
      action: 'Abrir el canal',
      finish: 'Terminar la configuración',
    },
    connection: {
      title: (name: string | null) =>
        name === null
          ? 'La conexión del espacio de trabajo rechaza el acceso'
          : `El espacio de trabajo ${name} rechaza el acceso`,
      text: (error: string | null) =>
        `Los agentes no pueden usar sus herramientas. Conéctalo de nuevo.${because(error)}`,
      action: 'Reconectar',
    },
    mcpSignIn: {
      title: (server: string) => `Inicia sesión en el servidor MCP ${server}`,
      text: (tools: number) =>
        tools === 0
          ? 'Aún nadie ha iniciado sesión en él. Después, los agentes podrán usar sus herramientas.'
          : `Ya no acepta el acceso. Hasta que inicies sesión, los agentes no pueden usar ${tools === 1 ? 'su herramienta' : `sus ${String(tools)} herramientas`}.`,
      action: 'Iniciar sesión',
    },
    limit: {
      reached: (of: keyof typeof units) => `Se alcanzó el límite mensual de ${units[of]}`,
      near: (of: keyof typeof units) => `El límite mensual de ${units[of]} está por alcanzarse`,
      used: (used: number, limit: number, of: keyof typeof units) =>
        `${amount(used)} de ${amount(limit)} ${units[of]} este mes.`,
      refused: 'Todos los mensajes nuevos por la API se rechazan con el estado 402.',
      action: 'Aumentar el límite',
    },
    cap: {
      reached: {
        day: 'Se agotó el tope de créditos por día',
        month: 'Se agotó el tope de créditos por mes',
      },
      near: {
        day: 'El tope de créditos por día está casi agotado',
        month: 'El tope de créditos por mes está casi agotado',
      },
      used: {
        day: (used: number, cap: number) => `${amount(used)} de ${amount(cap)} créditos usados hoy.`,
        month: (used: number, cap: number) => `${amount(used)} de ${amount(cap)} créditos usados este mes.`,
      },
      nearText: 'Una llamada al modelo que pueda costar más de lo que queda no se hace, tampoco en WhatsApp.',
      stops: {
        day: 'Ningún agente responde hasta la medianoche (UTC), tampoco en WhatsApp.',
        month: 'Ningún agente responde hasta el día 1 (UTC), tampoco en WhatsApp.',
      },
      action: 'Ver los topes',
    },
    failing: {
      title: (host: string) => `El webhook en ${host} está fallando`,
      text: (failed: number, attempts: number, error: string | null) =>
        `${countText(failed)} de ${counted(attempts, 'callback', 'callbacks').toLowerCase()} ${failed === 1 ? 'falló' : 'fallaron'} en las últimas 24 horas.${because(error)}`,
      action: 'Ver las entregas',
    },
    blocked: {
      title: (host: string) => `Parley no tiene permiso para llamar a ${host}`,
      text: (blocked: number) =>
        `${counted(blocked, 'callback no se envió', 'callbacks no se enviaron')} en las últimas 24 horas.`,
      action: 'Ver las entregas',
    },
    waiting: {
      title: (count: number) =>
        counted(count, 'conversación espera atención humana', 'conversaciones esperan atención humana'),
      text: 'Ningún agente las responderá. El mensaje más antiguo llegó',
      action: 'Responder',
    },
    backlog: {
      title: (count: number) => counted(count, 'mensaje espera respuesta', 'mensajes esperan respuesta'),
      text: 'Los agentes responden más despacio de lo que llegan los mensajes o no hay ningún worker en ejecución. El mensaje más antiguo llegó',
      action: 'Ver las conversaciones',
    },
    storage: {
      full: 'El almacenamiento de archivos está lleno',
      near: 'El almacenamiento de archivos está casi lleno',
      text: (used: number, limit: number) =>
        `${amount(Math.round(used / 1_048_576))} de ${amount(Math.round(limit / 1_048_576))} MB en uso. Cuando se llene, los mensajes con archivos se rechazarán.`,
      action: 'Ver el almacenamiento',
    },
  },
  refusals: {
    private: (place: string) =>
      `${place} es una dirección privada. Parley solo llama a direcciones privadas si están permitidas.`,
    toAllow: 'Para permitir esta, por ejemplo en pruebas locales, inicia Parley con',
    allow: (place: string) => `CALLBACK_ALLOW=${place}`,
    copyAllow: 'Copiar opción',
    malformed_url:
      'La dirección no es una URL válida u otros programas podrían interpretarla de otra forma. Revisa cómo está escrita.',
    scheme_not_allowed: 'La dirección debe empezar con http:// o https://.',
    credentials_in_url: 'La dirección contiene un nombre de usuario o una contraseña. Quítalos.',
    odd_host:
      'El host está escrito de una forma inusual. Escríbelo con letras comunes o como cuatro números decimales.',
    unresolved: 'El nombre del host no existe. Revisa cómo está escrito.',
    brief: {
      internal_name: 'Dirección privada',
      private_address: 'Dirección privada',
      'the name does not resolve': 'Host desconocido',
      malformed_url: 'No es una URL',
      scheme_not_allowed: 'Ni http ni https',
      credentials_in_url: 'Contraseña en la URL',
      odd_host: 'Host inusual',
    },
  },
} satisfies Translation<typeof english>;
