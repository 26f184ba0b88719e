import type { problemTexts as english } from '../problems.ts';
import type { Translation } from '../translation.ts';

export const problemTexts = {
  problems: {
    unreachable: 'No se puede acceder al servidor. Revisa tu conexión.',
    unknown: (status: number) => `El servidor respondió ${String(status)}.`,
    general: {
      invalid_json: 'El cuerpo no es JSON válido.',
      unauthorized: 'Se necesita un token de API válido: Authorization: Bearer pk_…',
      credit_limit_reached: 'Se alcanzó el límite mensual de créditos.',
      credit_cap_reached: 'La llamada no se hizo porque podría superar un tope de créditos.',
      message_limit_reached: 'Se alcanzó el límite mensual de mensajes.',
      storage_limit_reached:
        'El almacenamiento de archivos de la organización está lleno, así que no se aceptó nada. Borra conversaciones o aumenta el límite.',
      forbidden: 'Tu rol o tu token no permite esto.',
      not_found: 'Este elemento no existe. Es posible que se haya eliminado.',
      method_not_allowed: 'Esta ruta no admite este método. El encabezado Allow enumera los que admite.',
      idempotency_conflict: 'Esta Idempotency-Key se usó con otro cuerpo.',
      agent_inactive: 'El agente está desactivado.',
      conflict: 'El nombre ya está en uso.',
      version_conflict: 'Otra persona hizo cambios mientras tanto. Compara su versión con la tuya.',
      cancelled: 'La ejecución se canceló, así que no hay respuesta.',
      number_in_use:
        'Otro agente está conectado con este número. Para mover el número a este agente, repite la llamada con take_over.',
      already_decided: 'La aprobación ya se decidió o venció.',
      invalid_state:
        'Esto no es posible ahora, porque hay algo en curso o algo cambió. Recarga la página y revisa.',
      payload_too_large: 'El contenido es demasiado grande. Redúcelo e inténtalo de nuevo.',
      unsupported_media_type: 'Envía el cuerpo como application/json.',
      validation_failed: 'Algunos valores no son válidos. Corrígelos e inténtalo de nuevo.',
      invalid_credentials: 'Se rechazaron las credenciales. Revísalas.',
      rate_limited: 'Demasiadas solicitudes. Espera un momento e inténtalo de nuevo.',
      internal: 'Algo salió mal en el servidor. Inténtalo de nuevo.',
      agent_failed: 'La ejecución del agente falló.',
      output_invalid: 'La respuesta del agente no cumple su esquema de salida.',
      gateway_unreachable: 'El gateway no dio una respuesta válida.',
      unavailable: 'El servidor no está disponible ahora. Espera un momento e inténtalo de nuevo.',
      sync_timeout: 'La respuesta tarda más de lo habitual. Aparecerá aquí cuando esté lista.',
    },
    atLeast: (min: string) => `debe ser como mínimo ${min}`,
    atMost: (max: string) => `debe ser como máximo ${max}`,
    whole: 'debe ser un número entero',
    empty: 'no puede estar vacío',
    minChars: (min: string) => `debe tener al menos ${min} caracteres`,
    maxChars: (max: string) => `puede tener como máximo ${max} caracteres`,
    maxItems: (max: string) => `puede tener como máximo ${max}`,
    number: 'debe ser un número',
    missing: 'falta',
    oneOf: (options: string) => `debe ser uno de estos: ${options}`,
    email: 'no es una dirección de correo electrónico',
    url: 'no es una dirección web',
  },
} satisfies Translation<typeof english>;
